const KEY_EDGE = /-----(BEGIN|END) [A-Z ]*PRIVATE KEY-----/g;
/** The longest private key between its first and last line. */
const MAX_KEY = 20_000;

/**
 * A text without private keys in PEM. A key without a last line ends with the text. Takes linear time: one regular
 * expression for a whole key reads on from every first line.
 */
export function replacePrivateKeys(text: string, mark: string): string {
  const parts: string[] = [];
  let shown = 0;
  /** First lines since the last key, as places of the line and of what follows it. */
  let begun: { readonly at: number; readonly body: number }[] = [];
  const beginAt = (end: number) => begun.find(({ body }) => end - body <= MAX_KEY)?.at;
  for (const { 0: line, 1: kind, index } of text.matchAll(KEY_EDGE)) {
    const after = index + line.length;
    if (kind === 'BEGIN') {
      begun.push({ at: index, body: after });
      continue;
    }
    const from = beginAt(index);
    begun = [];
    if (from === undefined) continue;
    parts.push(text.slice(shown, from), mark);
    shown = after;
  }
  const open = beginAt(text.length);
  if (open !== undefined) return parts.join('') + text.slice(shown, open) + mark;
  return shown === 0 ? text : parts.join('') + text.slice(shown);
}

/** The shortest part of a signed token. */
const MIN_PART = 8;
const PART_END = /[^\w-]/g;

/**
 * A text without signed tokens (JSON Web Tokens): `eyJ…`, a dot, a part, a dot and a signature. Takes linear time: a
 * regular expression reads the same part from every `eyJ` in it.
 */
export function replaceSignedTokens(text: string, mark: string): string {
  const parts: string[] = [];
  let shown = 0;
  for (let at = text.indexOf('eyJ'); at !== -1; ) {
    if (at > 0 && /\w/.test(text.charAt(at - 1))) {
      at = text.indexOf('eyJ', at + 1);
      continue;
    }
    const header = partEnd(text, at);
    const payload = text[header] === '.' ? partEnd(text, header + 1) : header;
    const isToken = header - at >= 'eyJ'.length + MIN_PART && payload - header > MIN_PART && text[payload] === '.';
    if (isToken) {
      parts.push(text.slice(shown, at), mark);
      shown = partEnd(text, payload + 1);
    }
    // Another `eyJ` in a part that begins no token begins none either.
    at = text.indexOf('eyJ', isToken ? shown : header);
  }
  return shown === 0 ? text : parts.join('') + text.slice(shown);
}

function partEnd(text: string, from: number): number {
  PART_END.lastIndex = from;
  return PART_END.exec(text)?.index ?? text.length;
}
