import { expect, it } from 'vitest';
import { createRegistry } from '../registry.ts';
import { flowOf } from '../testing.ts';
import { resultText } from './result-text.ts';

const port = (name: string, type: 'Message' | 'File') => ({ name, label: name, types: [type] });
const about = { description: '', category: 'files', icon: 'file', effects: [], fields: [] } as const;
const registry = createRegistry([
  {
    descriptor: { ...about, type: 'Write', label: 'Write', outputs: [port('report', 'Message'), port('file', 'File')] },
  },
  { descriptor: { ...about, type: 'Speak', label: 'Speak', outputs: [port('file', 'File')] } },
]);

it('shows the beginning of a long table, and reads no output behind', () => {
  const table = Array<object>(400).fill({ value: 'a'.repeat(100_000), note: '' });
  let reads = 0;
  const last = Object.defineProperty({}, 'report', { enumerable: true, get: () => reads++ });
  const outputs = { a: { report: table }, b: { report: { text: 'b'.repeat(2_000_000) } }, c: last };
  const text = resultText(flowOf({ a: 'Write', b: 'Write', c: 'Write' }), outputs, registry);
  expect(text.slice(0, 200_000)).toBe(JSON.stringify(table.slice(0, 3)).slice(0, 200_000));
  expect([text.length < 2_200_000, reads]).toEqual([true, 0]);
});

it('shows what a writing node reports, and the path of a file that has no report, but no version', () => {
  const file = { path: 'a.txt', version: '1-k-2' };
  const outputs = { w: { report: { text: 'Saved 3 bytes' }, file }, s: { file } };
  expect(resultText(flowOf({ w: 'Write', s: 'Speak', idle: 'Write' }), outputs, registry)).toBe('Saved 3 bytes\na.txt');
  expect(resultText(flowOf({}), {}, registry)).toBe('(no output)');
});

it('separates an output of several lines, such as a table, by a blank line', () => {
  const table = '| a |\n| --- |\n| 1 |';
  const flow = flowOf({ a: 'Write', b: 'Write', c: 'Write', d: 'Write' });
  const outputs = (...texts: string[]) =>
    Object.fromEntries(texts.map((text, at) => ['abcd'[at] as string, { report: { text } }]));
  const textOf = (...texts: string[]) => resultText(flow, outputs(...texts), registry);
  expect(textOf(table, 'Saved', 'Done', table)).toBe(`${table}\n\nSaved\nDone\n\n${table}`);
  expect(textOf(`${table}\n`, 'Saved')).toBe(`${table}\n\nSaved`);
  expect(textOf('one\n', 'two')).toBe('one\n\ntwo');
  const both = { a: { report: { text: table }, more: { text: 'Saved' } } };
  expect(resultText(flow, both, registry)).toBe(`${table}\n\nSaved`);
});

it('has a line for each output, and each of the million characters of one', () => {
  const outputs = { a: { report: { text: 'x' }, more: { n: 1 } }, b: { report: { text: 'y'.repeat(1_048_577) } } };
  const flow = flowOf({ a: 'Write', b: 'Write', c: 'Other' });
  expect(resultText(flow, { ...outputs, c: { out: 'z' } }, registry)).toBe(`x\n{"n":1}\n${'y'.repeat(1_048_576)}`);
  const exactly = { a: { report: 'y'.repeat(1_048_576) }, c: { out: 'z' } };
  expect(resultText(flow, exactly, registry)).toBe(`${'y'.repeat(1_048_576)}\nz`);
  expect(resultText(flowOf({ s: 'Speak' }), { s: { file: { version: 1 } } }, registry)).toBe('{"version":1}');
  expect(resultText(flowOf({ s: 'Speak' }), { s: { file: null } }, registry)).toMatch(/\S/);
});
