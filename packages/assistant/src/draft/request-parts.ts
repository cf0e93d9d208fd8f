import { FILE_NAME, NAME_ENDS, QUOTED } from './file-names.ts';
import { isForbidden, withShortGaps } from './forbidden.ts';
import { stemsOf } from './words.ts';

/** A part of a request between commas and the word "and". */
export interface RequestClause {
  /** As the user wrote it. */
  readonly text: string;
  /** Stems of its words, without files, addresses and quoted texts. */
  readonly words: readonly string[];
  /** The clause with placeholders for its files, addresses and quoted texts. */
  readonly masked: string;
}

/** A request in plain words, with the values that have a form of their own. */
export interface RequestParts {
  readonly clauses: readonly RequestClause[];
  /** Puts the values back into a masked text. */
  unmask(masked: string): string;
  readonly words: ReadonlySet<string>;
  /** Files to read, in their order. */
  readonly paths: readonly string[];
  /** Files to write. */
  readonly targets: readonly string[];
  /** Files that the request says are not to be used or changed. */
  readonly forbidden: readonly string[];
  /** Whether files are added to, and keep what they have. */
  readonly appends: boolean;
  readonly urls: readonly string[];
  /** Directories, and endings of files: `docs/`, `.md`. */
  readonly places: readonly string[];
  /** A quoted text with a gap, such as `{words} words` or `N words`. */
  readonly pattern: string | undefined;
  /** When to run, such as `every morning at 8`: a schedule, and not a step of a flow. */
  readonly schedule: string | undefined;
  /** Other quoted texts, and words that are named as words. */
  readonly quoted: readonly string[];
}

const PATH = new RegExp(`(?<![\\w/.@-])${FILE_NAME}\\b${NAME_ENDS}`, 'gi');
const URL = /https?:\/\/[^\s"'<>`]*[^\s"'<>`.,;:!?]/g;
/** Before a write, and after a decision of the person: both are steps of their own. */
const BREAK =
  /\s*[,;]\s*(?:and\s+)?(?:then\s+)?|\s+and\s+(?:then\s+)?|\s+then\s+|\s+with\s+(?=(?:its|their)\b)|\s+(?=(?:as|like)\s+an?\s+(?!\uE000|(?:new|csv|json|text|markdown|file|flow|table|list|message|result|report)\b))|\s+before\s+(?=(?:it|you|they|the\s+flow)\s+[a-z]|(?:writ|sav|stor|export|overwrit|replac|creat|send|post)\w*ing\b)|\s+(?:but\s+)?(?:only\s+)?(?:once|after|when|if)\s+(?=I\s+(?:have\s+)?(?:approv|confirm|agre|accept|allow|permit)\w*)/gi;
const NEW_FILE = String.raw`(?:(?:a|the|my)\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?`;
const WRITE =
  '(?:(?:sav|writ|overwrit|stor)(?:e|es|ing)|put(?:s|ting)?|export(?:s|ing)?|cop(?:y|ies|ying)|append(?:s|ing)?)\\b';
/** `saves it to`, `to be saved as`, and not `the rows stored in`, which are read. */
const WRITTEN = new RegExp(
  `\\b${WRITE}(?:.*\\b(?:to|into|as|in|under|end\\s+of))?\\s+${NEW_FILE}$|\\b(?:sav|writ|stor|export|copi|append)\\w*\\b.*\\b(?:to|into|as|end\\s+of)\\s+${NEW_FILE}$`,
  'i',
);
/** `the rows that are in a.csv`, `the columns as in a.csv`: such a file is read. */
const COMPARED = new RegExp(
  `\\b(?:is|are|was|were|not|as|like|missing|found|listed|than)\\s+(?:in|under|from)\\s+${NEW_FILE}$`,
  'i',
);
/** `writes a.md to b.md`: the first file is read. */
const MOVED_ON = new RegExp(
  `^(?:['’]s)?(?:\\s+[\\w-]+){0,6}?\\s+(?:to|into|as|in|under)\\s+${NEW_FILE}${FILE_NAME}\\b`,
  'i',
);
/** `append it to log.txt`, `write it to the end of log.txt`. */
const APPENDS = /\bappend\w*\b|\b(?:to|at|onto)\s+(?:the|its)\s+end\b/i;
const INTO = new RegExp(`\\b(?:to|into|as)\\s+${NEW_FILE}$`, 'i');
const SCHEDULE =
  /(?<!\b(?:for|of|from)\s)\b(?:every|each)\s+(?:\d+\s+)?(?:minute|hour|day|morning|noon|evening|night|week|weekday|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b(?:\s+at\s+\d[\d:.]*(?:\s*[ap]m)?)?|\b(?:hourly|daily|weekly|monthly)\b(?=\s*(?:[,.;]|$|at\s+\d))/i;
const NAMED_WORD = /\bthe word\s+(?!count\b)(\w+)/gi;
const PLACE = /(?<![\w./-])(?:[\w-]+\/)+(?=[\s,;.]|$)|(?<![\w/*.])\.[a-z]\w{0,4}(?=\s+files?\b)/gi;
/** A value that comes with each run, which is the message of the flow. */
const TYPED = /\b(?:what(?:ever)?\s+|(?:the\s+)?(?:text|words?)\s+(?:that\s+)?)?I\s+(?:type|write|enter|send|say)\b/gi;
const GAP = /\{\w+\}|\bN\s+\p{L}+/u;

const ITEM = '(?:\uE000\\d+\uE001|[A-Z\\d][\\w-]*(?:\\s+[A-Z][\\w-]*)*)';
/** Values in capitals, in quotes or numbers, with commas between them and `or` before the last one. */
const LIST = new RegExp(`(?<!\\w)${ITEM}(?:\\s*,\\s*${ITEM})*\\s*,?\\s+or\\s+${ITEM}`, 'g');
const COMMA = '\uE002';

/** A masked request whose lists with `or` have placeholders for their commas, so that a list stays in its clause. */
const keepLists = (masked: string): string => masked.replace(LIST, (list) => list.replaceAll(',', COMMA));

/** A text with the commas of lists. */
const withCommas = (text: string): string => text.replaceAll(COMMA, ',');

/** `N words` as a text with a gap: `{words} words`. */
export const withGaps = (text: string): string => text.replace(/\bN\s+(\p{L}+)/gu, '{$1} $1');

/** The stems of a text, with the word for what the user writes later. */
export const wordsIn = (text: string): string[] =>
  stemsOf(text.replace(TYPED, ' message ').replace(/\bhow many\b/gi, ' count '));

/** Reads a request to build a flow. */
export function readRequest(request: string): RequestParts {
  // Characters of the private use area keep the places of values, so that no value is split.
  const values: string[] = [];
  const keep = (value: string) => `\uE000${values.push(value) - 1}\uE001`;
  const quoted: string[] = [];
  const urls: string[] = [];
  const schedule = SCHEDULE.exec(request)?.[0];
  const bare = withShortGaps(request)
    .replace(SCHEDULE, ' ')
    .replace(QUOTED, (whole, ...groups: (string | undefined)[]) => {
      const text = groups.slice(0, 4).find((each) => each !== undefined) ?? '';
      if (/^[\w./-]+\.\w{1,5}$/.test(text)) return text;
      quoted.push(text);
      return keep(whole);
    })
    .replace(NAMED_WORD, (_, word: string) => {
      quoted.push(word);
      return `the word ${keep(word)}`;
    })
    .replace(URL, (url) => {
      urls.push(url);
      return keep(url);
    });
  const masked = keepLists(bare);
  const breaks = [...masked.matchAll(BREAK)];
  const paths: string[] = [];
  const targets: string[] = [];
  const forbidden: string[] = [];
  const restored = (text: string) => text.replace(/\uE000(\d+)\uE001/g, (_, at: string) => values[Number(at)] ?? '');
  const clauses = masked
    .replace(PATH, (path, at: number) => {
      const last = breaks.findLast((each) => each.index + each[0].length <= at);
      const next = breaks.find((each) => each.index >= at + path.length);
      const before = masked.slice(last === undefined ? 0 : last.index + last[0].length, at);
      const after = masked.slice(at + path.length, next?.index);
      if (isForbidden(before, after)) forbidden.push(path);
      else {
        const isRead = COMPARED.test(before) || (!INTO.test(before) && MOVED_ON.test(after));
        (WRITTEN.test(before) && !isRead ? targets : paths).push(path);
      }
      return keep(path);
    })
    .split(BREAK)
    .map(withCommas)
    .map((text) => ({
      text: restored(text).trim(),
      masked: text.trim(),
      words: wordsIn(text.replace(/\uE000\d+\uE001/g, ' ')),
    }))
    .filter(({ text }) => text !== '');
  const gap = quoted.find((text) => GAP.test(text));
  const named = clauses.flatMap(({ words }) => words);
  return {
    clauses,
    unmask: restored,
    words: new Set([...named, ...(gap === undefined ? [] : stemsOf(gap))]),
    paths,
    targets,
    forbidden,
    appends: targets.length > 0 && APPENDS.test(masked),
    urls,
    places: masked.match(PLACE) ?? [],
    schedule,
    pattern: gap === undefined ? undefined : withGaps(gap),
    quoted: quoted.filter((text) => text !== gap),
  };
}
