export { type GitWorkspace, openWorkspace } from './open.ts';
