import { withTurns } from '@croft/workspace/testing';
import { contentOf, type Edit, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { applyInTurns } from './apply-in-turns.ts';
import { textOfDocument } from './create-flow.ts';
import { readDocument } from './get-flow.ts';

const renames = (count: number): Edit[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'set_details', name: `name ${index}` }));

/** A clock that advances with each reading. */
const clockOf = (stepMs: number) => {
  let time = 0;
  return () => (time += stepMs);
};

it('lets other requests run between edits that take long', async () => {
  const { result, turns } = await withTurns(() => applyInTurns(emptyFlow(), renames(30), clockOf(25)));
  expect([result.document.name, result.inverses.length]).toEqual(['name 29', 30]);
  expect(turns).toBeGreaterThanOrEqual(29);
});

it('lets other requests run while it checks a flow that replaces another one, and checks it once', async () => {
  let reads = 0;
  const nodes = Array.from({ length: 4_000 }, (_, index) => ({
    id: `n${index}`,
    get type() {
      reads++;
      return 'TextInput';
    },
    position: { x: 0, y: 0 },
    values: {},
  }));
  const edit: Edit = { kind: 'set_flow', flow: { ...contentOf(emptyFlow()), nodes } };
  const { result, turns } = await withTurns(() => applyInTurns(emptyFlow(), [edit], clockOf(25)));
  expect(result.document.nodes).toHaveLength(nodes.length);
  expect(turns).toBeGreaterThanOrEqual(nodes.length / 200);
  expect(reads).toBeLessThan(2 * nodes.length);
});

it('lets other requests run when a large document is read and printed', async () => {
  const large = { ...emptyFlow(), description: 'x'.repeat(1024 * 1024) };
  const printed = await withTurns(() => textOfDocument(large));
  const read = await withTurns(() => readDocument(printed.result.text));
  expect(read.result).toEqual(large);
  expect([printed.turns, read.turns].every((turns) => turns > 0)).toBe(true);
});

it('refuses edits that take longer than one request may', async () => {
  await expect(applyInTurns(emptyFlow(), renames(300), clockOf(25))).rejects.toMatchObject({ code: 'too_large' });
});
