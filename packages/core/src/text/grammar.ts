/** What a language takes for a comment, a string and a blank; enough to tell substance from form. */
export interface Grammar {
  comments: readonly Comment[];
  quotes: readonly Quote[];
  /** `free`: a line break is a blank. `lines`: it is kept. `depth`: it is kept with the depth of indentation. */
  layout: 'free' | 'lines' | 'depth';
  /** Whether taking out the blank between two characters would change the meaning. */
  keepsSpace: (before: string, after: string) => boolean;
  traits: ReadonlySet<Trait>;
}

/**
 * joins: a line break in brackets is a blank. escapes: a backslash outside strings takes the next character
 * along. tabs: a tab in front means something else than spaces. The rest are forms of literals.
 */
export type Trait =
  | 'joins'
  | 'escapes'
  | 'tabs'
  | 'regexes'
  | 'templates'
  | 'characters'
  | 'heredocs'
  | 'block-scalars';

export type Where = (text: string, at: number) => boolean;

export interface Comment {
  open: string;
  /** Absent: to the end of the line. */
  close?: string;
  nested?: true;
  only?: Where;
}

export interface Quote {
  open: string;
  close: string;
  /** A backslash takes the next character along. */
  escapes: boolean;
  /** Otherwise the string ends with its line at the latest. */
  long: boolean;
  only?: Where;
}
