import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters of a text that takes about a millisecond to parse, print or copy. */
const LONG = 256 * 1024;

/** Lets other requests run after work on a long text. */
export async function turnAfter(length: number): Promise<void> {
  if (length >= LONG) await nextTurn();
}

/** Parses JSON. Other requests run before and after a long text. @throws SyntaxError */
export async function parseJson(text: string): Promise<unknown> {
  await turnAfter(text.length);
  const value: unknown = JSON.parse(text);
  await turnAfter(text.length);
  return value;
}

/** Prints JSON. Other requests run after a long text. */
export async function printJson(value: unknown): Promise<string> {
  const text = JSON.stringify(value);
  await turnAfter(text.length);
  return text;
}
