/** The sentence around a token, cut at the token. */
export interface Clause {
  before: string;
  after: string;
}

/** Whether the sentence denies the token, makes it a condition, asks for it, or speaks about it. */
export function isDisclaimed({ before, after }: Clause): boolean {
  return (
    denied.test(before) ||
    promised.test(before) ||
    mentioned.test(before) ||
    asked.test(before) ||
    deniedAfter.test(after) ||
    conditionAfter.test(after) ||
    doubtAfter.test(after) ||
    (determined.test(before) && nounAfter.test(after)) ||
    isIdentifier(before, after)
  );
}

/** The end of `text` that belongs to the sentence going on, at most 400 characters. */
export function sentenceTail(text: string): string {
  const near = text.slice(-400);
  const boundary = [...near.matchAll(/[.!?…]["'”’»)\]*]*\s+/g)].at(-1);
  return boundary === undefined ? near : near.slice(boundary.index + boundary[0].length);
}

/** The start of `text` up to the end of its sentence, at most 200 characters, with the mark that ends it. */
export function sentenceHead(text: string): string {
  const near = text.slice(0, 200);
  const boundary = /[.!?…](?=["'”’»)\]*]*(?:\s|$))/.exec(near);
  return boundary === null ? near : near.slice(0, boundary.index + 1);
}

const denied =
  /\b(?:not|never|cannot|no longer|neither|nor|without|instead of|rather than|fail(?:s|ed|ing)? to|unable to|refus(?:e|es|ed|ing) to|almost|nearly|until|till|unless|once|when(?:ever)?|if|as soon as|only (?:then|after)|before\b.*\b(?:can|could|may|will|saying|printing|claiming|i (?:say|print|claim))|after\b.*\b(?:is|are|pass|passes|agree|agrees)|premature(?:ly)?|avoid(?:ed|ing)?|(?:would|should|could|might|may|must|will|shall) be)\b|n['’]t\b/i;

const say = 'print|say|repl(?:y|ies)|respond|answer|output|emit|write|return|type|send|echo';
const claim = `${say}|report|declare|announce|claim|mark|end|finish|conclude`;

/** "I will print", "should say"; but "I will now print" is the act itself. */
const promised = new RegExp(
  `(?:\\b(?:will|would|should|shall|must|might|may|could|going to|want to|supposed to)|['’]ll)\\b(?! now\\b).*\\b(?:${claim})\\b`,
  'i',
);

/** "Still working towards", "criteria for", "the string": the token is spoken about. */
const mentioned =
  /\b(?:before|towards?|(?:to|can) reach|for|of|partial(?:ly)?|pending|awaiting|then|todo:?|goal(?: is|:)|string|word|token|keyword)[\s*]*$|\b(?:grep|rg|sed|awk)\s/i;

/** "Reply with", "to print", "print exactly": a verb in front of the token that has no "I" in front of it. */
const asked = new RegExp(
  `(?<!\\b(?:I|we)(?:['’]ll)?(?: (?:now|can|may|will|therefore|thus|hereby|finally|also))*\\s+)` +
    `\\b(?:(?:${say})(?<!(?:output|answer|reply)(?=\\s*:))|(?:end|finish|conclude|stop) with)` +
    `(?: (?:with|out|the|a|exactly|only|just|literal|line|word|words|token|signal|marker|string|following|text|phrase|completion))*\\s*:?[\\s*]*$`,
  'i',
);

const gap = `[\\s*_~)\\]}>"'”’»]*`;
const auxiliary = 'is|was|are|has|have|had|does|did|do|can|could|should|would|will|must|might|may|shall';

const deniedAfter = new RegExp(
  `^${gap}[?]|^${gap}[:=,;(–—-]*\\s*(?:(?:${auxiliary})(?:n['’]t| not| NOT| never)|ca?n?not|can['’]t|won['’]t|[Nn]ot|NOT|never|yet)\\b` +
    `|^${gap}[:=]\\s*(?:false|no|none|0|pending)\\b`,
);

const conditionAfter = new RegExp(
  `^${gap}(?:when(?:ever)?|once|if|until|till|unless|only|as soon as|except|means|pending|criteria|would|should|will|must|shall|may|might|could|can` +
    `|(?:is|was|gets) (?:only|just|the|a|an|what|how|reserved|forbidden|printed|emitted|premature|false|wrong|still))\\b`,
);

const doubtAfter = /[?]$|\b(?:would be|premature|not yet|too early|a lie|dishonest)\b/i;

/** "The TASK_COMPLETE marker" names the signal; "[DONE] marker parsing fixed" uses it. */
const determined = /\b(?:the|a|an|this|that|any|every|each|your|its)[\s*]*$/i;
const nounAfter =
  /^\s*(?:signal|marker|token|string|keyword|flag|constant|message|line|event|status|word)s?\b/i;

/** State.TASK_COMPLETE, out/TASK_COMPLETE.md, `const TASK_COMPLETE = 1`: a name in code, not a word to us. */
function isIdentifier(before: string, after: string): boolean {
  return (
    /(?:[\w)\]][.-]|[/\\$@#]|\b(?:const|let|var|case|enum|import|export|def|class|grep|printf)\s+)$/.test(
      before,
    ) || /^(?:[./\\-]\w|[(/\\]|::|\s*=(?!\s*(?:true|yes|1)\b))/i.test(after)
  );
}
