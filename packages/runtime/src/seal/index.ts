export { openSeal } from './seal.ts';
