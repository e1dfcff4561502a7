export { makeNotify } from './notify.ts';
