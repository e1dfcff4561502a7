/** A word that may stand at the end of a command line, and what it is for. */
export interface Word {
  word: string;
  brief: string;
}
