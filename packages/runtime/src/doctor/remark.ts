/** One thing that was looked at on this machine or in this project. */
export interface Remark {
  /** What it is about: `git`, `agent claude`. */
  about: string;
  /** `bad`: no run can start until it is put right. `lacking`: a run can start, with less. */
  mark: 'good' | 'lacking' | 'bad';
  what: string;
  /** What to do about it. */
  next?: string;
  /** The same for machines. Names and numbers; never the contents of a file or a variable. */
  facts?: Record<string, unknown>;
}
