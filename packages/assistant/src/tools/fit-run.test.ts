import { expect, it } from 'vitest';
import { fitRun } from './fit-run.ts';

const entry = (node: number, more: object = {}) => ({ node: `N-${node}`, status: 'finished', ...more });
const failed = (node: number, more: object = {}) => ({
  ...entry(node, more),
  status: 'failed',
  failure: { message: 'No' },
});
const timelineOf = (entries: readonly unknown[]) =>
  (fitRun({ timeline: { entries, isCut: false } }) as { timeline: { entries: unknown[] } }).timeline.entries;

it('leaves a run that fits as it is', () => {
  const entries = [entry(1, { inputs: { a: 1 } }), failed(2, { log: ['x'] })];
  const run = { id: 'r', text: 'x', outputs: { O: { text: 'y' } }, timeline: { entries, isCut: true } };
  expect(fitRun(run)).toEqual(run);
  for (const other of [entries, undefined, null, 'x', { nodes: [] }, { timeline: 1 }, { timeline: { entries: 1 } }])
    expect(fitRun(other)).toEqual(other);
});

it('keeps 50,000 characters of entries, those of failures first, in their order', () => {
  const entries = Array.from({ length: 1_000 }, (_, at) => entry(at, { outputs: 'x'.repeat(1_000) }));
  entries[999] = failed(999, { inputs: 'y' });
  const shown = timelineOf(entries);
  expect(JSON.stringify(shown).length).toBeLessThan(51_000);
  expect(JSON.stringify(shown).length).toBeGreaterThan(49_000);
  expect(shown.slice(0, 2)).toEqual(entries.slice(0, 2));
  expect(shown.at(-2)).toEqual(entries[999]);
  expect(shown.at(-1)).toBe(`${1_000 - shown.length + 1} more entries`);
});

it('leaves out the values of an entry that does not fit with them', () => {
  const inputs = 'x'.repeat(50_000);
  const left_out = 'inputs, outputs and log';
  expect(timelineOf([entry(1, { inputs }), failed(2, { inputs, outputs: 'y', log: [] })])).toEqual([
    entry(1, { left_out }),
    failed(2, { left_out }),
  ]);
});

it('counts what does not fit, in events too', () => {
  const text = 'x'.repeat(49_900);
  expect(fitRun([entry(1, { text }), entry(2), entry(3, { text }), entry(4)])).toEqual([
    entry(1, { text }),
    entry(2),
    '2 more entries',
  ]);
  expect(fitRun([text, 'y'.repeat(100)])).toEqual([text, '1 more entry']);
});

it('leaves out large outputs, which the entries have too', () => {
  expect(fitRun({ outputs: { O: 'x'.repeat(19_992) } })).toMatchObject({ outputs: { O: expect.any(String) } });
  expect(fitRun({ outputs: { O: 'x'.repeat(19_993) } })).toEqual({ outputs: '(20001 characters)' });
});
