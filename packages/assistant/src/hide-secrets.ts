import { begunAtEnd, replacePrivateKeys, replaceSignedTokens, replaceTexts } from '@croft/flow';

/** Shapes of keys that are secrets of any user. Narrow, because texts of users and files pass here. */
const SHAPES: readonly RegExp[] = [
  /\b(?:sk|rk|pk)-[A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|gsk_\w{20,}|hf_\w{20,})/g,
];
/** Shorter secrets would remove parts of ordinary words. */
const MIN_SECRET = 4;
/** In place of a secret. No change of the assistant may write it: see `refuse-secrets.ts`. */
export const REDACTED = '***REDACTED***';

/** A text without the user's secrets and without what has the shape of a provider's key. */
export const hideSecrets = (text: string, secrets: ReadonlySet<string>): string => hideKeys(hideOwn(text, secrets));

const hideOwn = (text: string, secrets: ReadonlySet<string>): string =>
  replaceTexts(
    text,
    [...secrets].filter(({ length }) => length >= MIN_SECRET),
    REDACTED,
  );

function hideKeys(text: string): string {
  let shown = replacePrivateKeys(text, REDACTED);
  for (const shape of SHAPES) shown = shown.replace(shape, REDACTED);
  return replaceSignedTokens(shown, REDACTED);
}

/** Hides secrets in a text that comes in pieces. */
export interface SecretFilter {
  /** The text that can be shown now: the end of it waits while it may begin a secret. */
  add(piece: string): string;
  /** The rest. */
  end(): string;
}

/** The last word may be the beginning of a provider's key. Longer ones go on, so that a stream always does. */
const MAX_WORD = 4_000;
/** As in `replacePrivateKeys`: no private key is longer. */
const MAX_BLOCK = 20_000;
/** The first and last lines of private keys, and the beginning of a line at the end of a text that may become a first line. */
const BLOCK_EDGE = /-----(?:END [A-Z ]*PRIVATE KEY-----|BEGIN (?:[A-Z ]*PRIVATE KEY-----|[A-Z ]*-{0,4}$))/g;
/** The characters that can continue a key of each shape. */
const KEY_REST = /^[\w-]+/;

export function createSecretFilter(secrets: ReadonlySet<string>): SecretFilter {
  let held = '';
  /** The shown text ends with a key that the next piece may continue. */
  let isInKey = false;
  return {
    add(piece) {
      const news = isInKey ? piece.replace(KEY_REST, '') : piece;
      if (news === '') return '';
      const own = hideOwn(held + news, secrets);
      const block = begunBlock(own);
      const text = hideKeys(own.slice(0, own.length - block.length)) + block;
      isInKey = text.endsWith(REDACTED) && !own.endsWith(REDACTED);
      let kept = block.length;
      while (kept < MAX_WORD && /[\w.-]/.test(text.charAt(text.length - 1 - kept))) kept++;
      for (const secret of secrets) if (secret.length >= MIN_SECRET) kept = Math.max(kept, begunAtEnd(text, secret));
      held = text.slice(text.length - kept);
      return text.slice(0, text.length - kept);
    },
    end() {
      const rest = hideKeys(held);
      held = '';
      isInKey = false;
      return rest;
    },
  };
}

/**
 * The end of a text from the first line of a private key that has no last line yet. Other PEM blocks inside the key, and
 * further first lines, do not end it.
 */
function begunBlock(text: string): string {
  let begun: number[] = [];
  for (const { 0: line, index } of text.matchAll(BLOCK_EDGE)) {
    if (line.startsWith('-----END')) begun = [];
    else begun.push(index);
  }
  const at = begun.find((from) => text.length - from <= MAX_BLOCK);
  return at === undefined ? '' : text.slice(at);
}

/** The same in every text of a value of plain JSON, also in keys. The very same value where nothing is hidden. */
export function hideSecretsIn<Value>(value: Value, secrets: ReadonlySet<string>): Value {
  const text = JSON.stringify(value);
  if (text === undefined || hideSecrets(text, secrets) === text) {
    // A secret with quotes or line breaks has another spelling in JSON.
    const odd = [...secrets].some((secret) => /["\\\n\r\t]/.test(secret));
    if (!odd) return value;
  }
  return hideIn(value, secrets) as Value;
}

/** Whether a value of plain JSON has something to hide: where it is stored without that, it is another value. */
export const hasSecret = (value: unknown, secrets: ReadonlySet<string>): boolean =>
  JSON.stringify(hideSecretsIn(value, secrets)) !== JSON.stringify(value);

/** Whether a text or key of a value of plain JSON has the mark. */
export const hasMark = (value: unknown): boolean => (JSON.stringify(value) ?? '').includes(REDACTED);

/** Whether a value is the one that a proposal shows, which hides secrets, and the whole value of a secret field. */
export function isShownAs(value: unknown, shown: unknown, secrets: ReadonlySet<string>): boolean {
  const text = JSON.stringify(shown);
  if (shown === REDACTED || JSON.stringify(value) === text) return true;
  return hasMark(shown) && JSON.stringify(hideSecretsIn(value, secrets)) === text;
}

function hideIn(value: unknown, secrets: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return hideSecrets(value, secrets);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => hideIn(each, secrets));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [hideSecrets(key, secrets), hideIn(each, secrets)]),
  );
}
