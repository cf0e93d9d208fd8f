/** One step of a request with the values in it that can be recognised by their form. */
export interface Clause {
  readonly text: string;
  /** The text without quoted texts, addresses and paths: the words that say what to do. */
  readonly words: string;
  readonly quoted: readonly string[];
  readonly urls: readonly string[];
  readonly emails: readonly string[];
  readonly paths: readonly string[];
  readonly globs: readonly string[];
  readonly numbers: readonly { readonly value: number; readonly next: string }[];
  readonly expression: string | undefined;
  /** Names with a hyphen and a number or code, such as `Box-a1b2c`. */
  readonly ids: readonly string[];
  /** Names in CamelCase. */
  readonly types: readonly string[];
  /** Codes in capitals, such as EUR. */
  readonly codes: readonly string[];
  /** Two ends, each an id and a name: `A-11111.out -> B-22222.in`. */
  readonly link: readonly [string, string, string, string] | undefined;
  /** `set FIELD of THING to VALUE`. */
  readonly assignment: { readonly field: string; readonly value: string } | undefined;
  /** `replace OLD by NEW`, both quoted. */
  readonly replacement: readonly [string, string] | undefined;
  /** Whether a word such as "it" refers to the last result. */
  readonly refersBack: boolean;
}

const ID = /^(?:[A-Za-z]\w*-(?=\w*\d)\w{3,}|[A-Z]\w*-\w{5})(?:\.\w+)?$/;
const QUOTES = /"([^"]*)"|“([^”]*)”|`([^`]*)`|(?<![\p{L}\p{N}])'([^']*)'(?![\p{L}\p{N}])/gu;
const URLS = /https?:\/\/[^\s"'<>]+/g;
const EMAILS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const TOKEN = /[^\s"“”`]+/g;
const ARITHMETIC = /[\d(-][\d\s.+*/^()-]*[\d)]/g;
/** 2026-11-29 is not a subtraction. */
const ISO_DATE = /(?<![\d.-])\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])/g;
const LINK = /([\w]+-[\w]+)\.(\w+)\s*(?:->|→|to|with|into)\s*([\w]+-[\w]+)\.(\w+)/;
const ASSIGNMENT =
  /\b(?:set|change|update|configure)\s+(?:the\s+)?(?:field\s+|value\s+of\s+)?([\w.]+)(?:\s+(?:of|in|on|for)\s+\S+)?\s+to\s+(?:"([^"]*)"|'([^']*)'|(\S+))/i;
const REPLACEMENT =
  /\b(?:replace|change|swap|substitute|turn)\s+(?:every\s+|all\s+)?(?:"([^"]*)"|'([^']*)')\s+(?:with|by|to|for|into)\s+(?:"([^"]*)"|'([^']*)')/i;

/** Finds the values in one step of a request. */
export function readClause(text: string): Clause {
  const quoted = [...text.matchAll(QUOTES)].map((found) => found.slice(1).find((each) => each !== undefined) ?? '');
  const bare = text.replace(QUOTES, ' ');
  const urls = (bare.match(URLS) ?? []).map(withoutStop);
  const withoutUrls = bare.replace(URLS, ' ');
  const emails = withoutUrls.match(EMAILS) ?? [];
  const plain = withoutUrls.replace(EMAILS, ' ');
  const tokens = (plain.match(TOKEN) ?? []).map(withoutStop);
  const globs = [...tokens, ...quoted].filter(
    (each) => /[*]/.test(each) && /[\w/.]/.test(each) && !/[\s+()^$\\]|\.\*/.test(each),
  );
  const ids = tokens.filter((each) => ID.test(each)).map((each) => each.split('.')[0] ?? each);
  const paths = [...tokens, ...quoted].filter((each) => isPath(each) && !globs.includes(each));
  const replaced = REPLACEMENT.exec(text);
  const assigned = ASSIGNMENT.exec(text);
  const link = LINK.exec(plain);
  return {
    text,
    words: plain.replace(/\S*[./*]\S+/g, ' ').replace(/\b[A-Za-z]\w*-(?=\w*\d)\w{3,}\b/g, ' '),
    quoted,
    urls,
    emails,
    paths: paths.length > 0 ? paths : bareDirectory(plain),
    globs,
    numbers: [...plain.matchAll(/(?:^|[\s#])(-?\d+(?:\.\d+)?)(?=[\s?!,.]|$)\s*([\p{L}]*)/gu)].map(
      ([, value, next]) => ({
        value: Number(value),
        next: (next ?? '').toLowerCase(),
      }),
    ),
    expression: (plain.replace(ISO_DATE, ' date ').match(ARITHMETIC) ?? [])
      .map((each) => each.trim())
      .find((each) => /\d\s*[-+*/^)]/.test(each)),
    ids,
    types: tokens.filter((each) => /^[A-Z][a-z0-9]+[A-Z]\w*$/.test(each)),
    codes: tokens.filter((each) => /^[A-Z]{3}$/.test(each)),
    link: link ? [link[1] ?? '', link[2] ?? '', link[3] ?? '', link[4] ?? ''] : undefined,
    assignment: assigned
      ? { field: assigned[1] ?? '', value: assigned[2] ?? assigned[3] ?? withoutStop(assigned[4] ?? '') }
      : undefined,
    replacement: replaced ? [replaced[1] ?? replaced[2] ?? '', replaced[3] ?? replaced[4] ?? ''] : undefined,
    refersBack: /\b(it|that|this|them|the (?:result|answer|output|text))\b/i.test(plain),
  };
}

const withoutStop = (token: string): string => token.replace(/^[([]+|[?!,;:)\]]+$|(?<=\w)\.$/g, '');

const isPath = (token: string): boolean =>
  !/\s|@|->/.test(token) &&
  (/^[\w.~/-]*[\w-]\.[A-Za-z]\w{0,5}$/.test(token) || /^[\w.-]+(?:\/[\w.-]+)+\/?$/.test(token)) &&
  !/^\w+-\w*\d\w*\./.test(token) &&
  !/^[\d./]+$/.test(token);

/** A directory that only its place in the sentence shows: "the folder src", "in src". */
function bareDirectory(text: string): string[] {
  const found =
    /\b(?:directory|folder)\s+(?:called\s+|named\s+)?([\w.-]+)/i.exec(text)?.[1] ??
    /\b(?:in|under|within)\s+(?!the\b|all\b|every\b|my\b|a\b|an\b)([a-z][\w.-]*)[?.!]?\s*$/.exec(text)?.[1];
  return found === undefined ? [] : [found];
}
