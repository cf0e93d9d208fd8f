import { FILE_NAME, QUOTED } from './file-names.ts';

const NOT = String.raw`(?:(?:do|does|did|should|must|shall|will|would|can|could|may|need)\s*(?:not|n[’']t)|dont|cannot|never)`;
/** Beginnings of verbs for changes of files. */
const CHANGE =
  'writ|sav|stor|append|put|add|export|cop|chang|modif|touch|edit|updat|replac|delet|remov|eras|mov|renam|creat|alter';
const verbs = (beginnings: string) => String.raw`(?:re|over)?(?:${beginnings})(?:e|y|s|es|ies|ing|ting|ning|ying)?\b`;
/** Those for what the assistant or a flow does to files, to the flow, or outside. */
const ACT = verbs(`${CHANGE}|run|execut|start|launch|undo|revert|document|describ|send`);
/** Those of a negation before a file. A row that does not *start* with a letter may still be written to it. */
const WRITES = verbs(CHANGE);
const NEXT_ACT = String.raw`\b(?:and|but|then)\s+(?:then\s+)?(?:it\s+)?${ACT}`;

/** A clause that says what not to do. Its end is before the next order. */
const FORBIDS = new RegExp(
  `(^|[.!?;:]\\s+|\\n\\s*|,\\s*(?:(?:and|but)\\s+)?|\\s+(?:and|but)\\s+)(?:(?:please|also|just|I|you|it|which|that|the flow)\\s+)*(?:${NOT}|not)\\s+(?:ever\\s+)?${ACT}((?:(?!\\s+${NEXT_ACT})(?:[^.!?;,\\n]|[.!?](?=\\S)))*)`,
  'gi',
);
/** The object of such a clause: a file, the flow, or a word for one of them. Any other clause may be about rows or texts. */
const OBJECT = new RegExp(
  `^\\W*$|(?<![\\w/.-])${FILE_NAME}|\\uE000|\\b(?:it|this|that|them|these|those|any|anything|everything|flow|canvas|files?)\\b`,
  'i',
);

const NEGATED_ACT = new RegExp(
  `(?:\\b${NOT}|\\b(?:not|without|avoid|avoids|instead\\s+of|rather\\s+than))\\s+(?:(?!and\\b|then\\b)[\\w-]+\\s+){0,2}?${WRITES}(?!.*${NEXT_ACT})`,
  'i',
);
const NOT_HERE =
  /\b(?:not|never|nor|except(?:\s+for)?|without|unless|rather\s+than|instead\s+of)\s+(?:(?:to|into|onto|as|for|at|from)\s+)?(?:(?:the\s+)?end\s+of\s+)?(?:(?:a|the|my)\s+)?(?:file\s+)?(?:called\s+|named\s+)?["'`“]?$/i;
/** `notes.md must not change`, `leave notes.md as it is`. */
const STAYS =
  /^["'`”]?\s+(?:(?:must|should|shall|may|can|does|do|will|is|are|has|have)\s*(?:not|never|n[’']t)|stays?|remains?|alone|untouched|unchanged|as\s+(?:it|they)\s+(?:is|are))\b/i;

/** One space or line break in place of several: the time of the patterns grows with the square of their number. */
export const withShortGaps = (text: string): string => text.replace(/[^\S\n]+/g, ' ').replace(/\n[ \n]+/g, '\n');

/** A message without the clauses that say what not to do, and these clauses. Quoted texts are read as texts. */
export function withoutForbidden(message: string): { readonly text: string; readonly forbidden: readonly string[] } {
  const kept: string[] = [];
  // Characters of the private use area keep the places of quoted texts.
  const masked = withShortGaps(message).replace(QUOTED, (quoted) => `\uE000${kept.push(quoted) - 1}\uE001`);
  const restored = (text: string) => text.replace(/\uE000(\d+)\uE001/g, (_, at: string) => kept[Number(at)] ?? '');
  const forbidden: string[] = [];
  const text = masked.replace(FORBIDS, (clause: string, before: string, rest: string) => {
    if (!OBJECT.test(rest)) return clause;
    forbidden.push(restored(clause.slice(before.length)).trim());
    return /[.!?;:\n]/.test(before) ? before : '';
  });
  if (forbidden.length === 0) return { text: message, forbidden };
  const joined = text.replace(/([.!?;:])\s+(?=[.!?])[.!?]+/g, '$1').replace(/^[\s.,;!?]*(?:(?:and|but|then)\s+)*/i, '');
  return { text: restored(joined).trim(), forbidden };
}

/** Characters of a message that the rules read. */
const MAX_MESSAGE = 2_000;

/** The part of a message that orders something; undefined where it only says what not to do. A long message is not read. */
export function orderIn(message: string): string | undefined {
  if (message.length > MAX_MESSAGE) return message;
  const { text, forbidden } = withoutForbidden(message);
  return forbidden.length > 0 && !/\p{L}/u.test(text) ? undefined : text;
}

/** Whether a sentence says of the file between these texts that it is not to be changed or used. */
export function isForbidden(before: string, after: string): boolean {
  const near = before.split(/[.!?;,]\s+|\n|\bbut\b(?!\s+not\b)/i).at(-1) ?? '';
  return NOT_HERE.test(near) || NEGATED_ACT.test(near) || STAYS.test(after);
}
