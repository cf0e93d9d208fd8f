/** A part of a changed text. */
export interface DiffPart {
  readonly kind: 'same' | 'old' | 'new';
  readonly text: string;
}

/** Longer texts are compared as a whole: the comparison takes the product of their lengths. */
const MAX_TOKENS = 600;

/** Compares two texts by words. The old text is the parts that are not new, the new text those that are not old. */
export function diffTexts(before: string, after: string): readonly DiffPart[] {
  const [a, b] = [tokensOf(before), tokensOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const middle = compare(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return joined([
    { kind: 'same', text: a.slice(0, start).join('') },
    ...middle,
    { kind: 'same', text: a.slice(a.length - end).join('') },
  ]);
}

const tokensOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** The longest common subsequence, as parts. */
function compare(a: readonly string[], b: readonly string[]): DiffPart[] {
  if (a.length > MAX_TOKENS || b.length > MAX_TOKENS)
    return [
      { kind: 'old', text: a.join('') },
      { kind: 'new', text: b.join('') },
    ];
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const isSame = i < a.length && a[i] === b[j];
    if (isSame) parts.push({ kind: 'same', text: a[i] ?? '' });
    else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1)))
      parts.push({ kind: 'old', text: a[i] ?? '' });
    else parts.push({ kind: 'new', text: b[j] ?? '' });
    if (isSame || parts.at(-1)?.kind === 'old') i++;
    if (isSame || parts.at(-1)?.kind === 'new') j++;
  }
  return parts;
}

/** Joins parts of one kind that follow each other. Between two changes, a lone space belongs to both. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const list: DiffPart[] = [];
  let [old, fresh] = ['', ''];
  const flush = () => {
    if (old !== '') list.push({ kind: 'old', text: old });
    if (fresh !== '') list.push({ kind: 'new', text: fresh });
    [old, fresh] = ['', ''];
  };
  for (const [index, { kind, text }] of parts.entries()) {
    if (text === '') continue;
    const next = parts[index + 1]?.kind;
    const isGap = kind === 'same' && /^\s+$/.test(text) && (old !== '' || fresh !== '') && next && next !== 'same';
    if (kind === 'old' || isGap) old += text;
    if (kind === 'new' || isGap) fresh += text;
    if (kind !== 'same' || isGap) continue;
    flush();
    const last = list.at(-1);
    if (last?.kind === 'same') list[list.length - 1] = { kind, text: last.text + text };
    else list.push({ kind, text });
  }
  flush();
  return list;
}

/** A value of a field as a person reads it. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
