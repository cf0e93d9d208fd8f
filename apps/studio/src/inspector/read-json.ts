import type { Json } from '@croft/flow';

/** Reads JSON; an empty text is null. A problem has the line of the first error. */
export function readJson(text: string): { readonly value: Json } | { readonly problem: string; readonly line: number } {
  if (text.trim() === '') return { value: null };
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    const at = errorAt(text);
    const line = text.slice(0, at).split('\n').length;
    const isCut = text.slice(at).trim() === '';
    return { problem: isCut ? `The JSON ends too early, in line ${line}.` : `Line ${line} is not valid JSON.`, line };
  }
}

const TOKEN =
  /[ \t\r\n]*([{}[\],:]|"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/uy;

type Expected = 'value' | 'item or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

/** Where JSON stops to be valid. Browsers name the place in different ways, or not at all. */
function errorAt(text: string): number {
  const open: ('[' | '{')[] = [];
  let expected: Expected = 'value';
  let end = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const token = found[1] ?? '';
    const next = after(token, expected, open);
    if (next === undefined) return TOKEN.lastIndex - token.length;
    expected = next;
    end = TOKEN.lastIndex;
  }
  return end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0);
}

/** Returns the kind of token that may follow; undefined where this one must not be here. Keeps the brackets that are open. */
function after(token: string, expected: Expected, open: ('[' | '{')[]): Expected | undefined {
  const afterValue = () => (open.length === 0 ? 'nothing' : 'comma or end');
  if (token === '}' || token === ']') {
    const mayEnd = expected === 'comma or end' || expected === (token === '}' ? 'key or end' : 'item or end');
    return mayEnd && open.pop() === (token === '}' ? '{' : '[') ? afterValue() : undefined;
  }
  if (expected === 'comma or end') return token === ',' ? (open.at(-1) === '{' ? 'key' : 'value') : undefined;
  if (expected === 'colon') return token === ':' ? 'value' : undefined;
  if (expected === 'key' || expected === 'key or end') return token.startsWith('"') ? 'colon' : undefined;
  if (expected === 'nothing' || token === ',' || token === ':') return undefined;
  if (token !== '{' && token !== '[') return afterValue();
  open.push(token);
  return token === '{' ? 'key or end' : 'item or end';
}
