import { expect, it } from 'vitest';
import { parseJson, printJson, turnAfter } from './long-json.ts';

const LONG = 'x'.repeat(256 * 1024);

/** Whether other work of the event loop ran before the work ended. */
async function yields(work: () => Promise<unknown>): Promise<boolean> {
  let hasRun = false;
  setImmediate(() => (hasRun = true));
  await work();
  return hasRun;
}

it('parses and prints', async () => {
  expect(await parseJson('{"a":[1]}')).toEqual({ a: [1] });
  expect(await printJson({ a: [1] })).toBe('{"a":[1]}');
  await expect(parseJson('{')).rejects.toThrow(SyntaxError);
});

it('lets other requests run beside long texts, and does not wait for short ones', async () => {
  expect(await yields(() => parseJson(JSON.stringify(LONG)))).toBe(true);
  expect(await yields(() => printJson(LONG))).toBe(true);
  expect(await yields(() => parseJson('1'))).toBe(false);
  expect(await yields(() => printJson(1))).toBe(false);
  expect(await yields(() => turnAfter(256 * 1024 - 1))).toBe(false);
  expect(await yields(() => turnAfter(256 * 1024))).toBe(true);
});

it('lets other requests run before a long text is parsed', async () => {
  let hasRun = false;
  setImmediate(() => (hasRun = true));
  await expect(parseJson(LONG)).rejects.toThrow(SyntaxError);
  expect(hasRun).toBe(true);
});
