/** What a hook needs at every stop of every session: nothing here stands on the rest of the room. */
export { makeFolder } from '../make-folder.ts';
export { stateRoot } from '../store/state-root.ts';
export {
  type Binding,
  isWithin,
  listArmings,
  listBindings,
  listUnseen,
  readBinding,
  realFolder,
  writeBinding,
  writeUnseen,
} from './files.ts';
export { pausedOnce, spokenTo } from './pause.ts';
export {
  type Answer,
  deadlineMs,
  type HostCall,
  type HostName,
  hostNames,
  isNotice,
  readCall,
  taskIn,
  wordsFor,
} from './hosts.ts';
