export { chooseBind, type BindWish } from './entrance/bind.ts';
export { renewEntrance } from './entrance/renew.ts';
export { tokenPath } from './entrance/token.ts';
export { linkToRunning } from './running.ts';
export { serve, type ServeRequest, type Serving } from './serve.ts';
export { readSpecs } from './specs.ts';
