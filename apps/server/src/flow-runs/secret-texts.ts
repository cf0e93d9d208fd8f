import { begunAtEnd, replaceTexts } from '@croft/flow';

/** The shortest value that is redacted: shorter ones occur in ordinary text. */
const MIN_SECRET_CHARS = 4;
const REDACTED = '***';

/** Values as they may show up in texts: as they are, in JSON, in an address and in a header. */
export function spellingsOf(values: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const value of values) {
    if (value.length < MIN_SECRET_CHARS) continue;
    found.add(value);
    found.add(JSON.stringify(value).slice(1, -1));
    found.add(encodeURIComponent(value));
    found.add(Buffer.from(value).toString('base64'));
  }
  return found;
}

/** A JSON value whose texts and keys have no secret in them. */
export function withoutSecrets(value: unknown, secrets: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return redacted(value, secrets);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, secrets));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [redacted(key, secrets), withoutSecrets(each, secrets)]),
  );
}

export const redacted = (text: string, secrets: ReadonlySet<string>): string => replaceTexts(text, secrets, REDACTED);

/** Redacts a text that arrives in pieces. */
export interface TokenRedactor {
  /** The part of the text so far that cannot become a secret, after what was returned before. */
  add(piece: string): string;
  /** The rest. */
  end(): string;
}

/** Holds back the end of the text while it is the beginning of a secret, so that none passes in two pieces. */
export function createTokenRedactor(secrets: ReadonlySet<string>): TokenRedactor {
  let held = '';
  return {
    add(piece) {
      const text = redacted(held + piece, secrets);
      const keep = beginningAtEnd(text, secrets);
      held = text.slice(text.length - keep);
      return text.slice(0, text.length - keep);
    },
    end() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** Length of the longest end of the text with which a secret begins. */
function beginningAtEnd(text: string, secrets: ReadonlySet<string>): number {
  let longest = 0;
  for (const secret of secrets) longest = Math.max(longest, begunAtEnd(text, secret));
  return longest;
}
