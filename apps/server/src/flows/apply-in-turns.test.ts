import { withTurns } from '@croft/workspace/testing';
import { contentOf, type Edit, emptyFlow, FlowError, LIMITS } from '@croft/flow';
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

it('gives the applied edits and their inverses, one by one', async () => {
  const flow = emptyFlow('Start');
  const rename: Edit = { kind: 'set_details', name: 'One' };
  const batch = { kind: 'batch', edits: [{ kind: 'set_details', description: 'About' }] } as Edit;
  const content = contentOf({ ...emptyFlow('Other'), description: 'Whole' });
  const whole: Edit = { kind: 'set_flow', flow: content };
  const { document, edits, inverses } = await applyInTurns(flow, [rename, batch, whole]);
  expect(document).toMatchObject({ version: flow.version, name: content.name ?? 'One', nodes: [] });
  expect(edits).toEqual([rename, { kind: 'set_details', description: 'About' }, whole]);
  expect(inverses).toEqual([
    { kind: 'set_details', name: 'Start' },
    { kind: 'set_details', description: '' },
    { kind: 'set_flow', flow: contentOf({ ...flow, name: 'One', description: 'About' }) },
  ]);
  const last = await applyInTurns(flow, [whole, rename]);
  expect(last.document.name).toBe('One');
  expect(await applyInTurns(flow, [])).toEqual({ document: flow, edits: [], inverses: [] });
});

it('refuses a result that would not open again, and more edits than fit into one request', async () => {
  const broken = { kind: 'set_flow', flow: { ...contentOf(emptyFlow()), nodes: [5] } } as unknown as Edit;
  await expect(applyInTurns(emptyFlow(), [broken])).rejects.toBeInstanceOf(FlowError);
  const most = renames(LIMITS.editsAtOnce);
  expect((await applyInTurns(emptyFlow(), most)).edits).toHaveLength(most.length);
  await expect(applyInTurns(emptyFlow(), renames(most.length + 1))).rejects.toMatchObject({
    status: 413,
    code: 'too_large',
    message: `Send at most ${LIMITS.editsAtOnce} edits at once.`,
  });
});

it('takes five seconds for the edits of one request, and no turns while they are fast', async () => {
  // Each edit takes 25 ms of 5,000.
  expect((await applyInTurns(emptyFlow(), renames(200), clockOf(25))).edits).toHaveLength(200);
  await expect(applyInTurns(emptyFlow(), renames(201), clockOf(25))).rejects.toMatchObject({
    status: 413,
    code: 'too_large',
    message: 'These edits take too long for a flow of this size. Send fewer at once.',
  });
  let reads = 0;
  const slow = () => (reads++, 0);
  await applyInTurns(emptyFlow(), renames(10), slow);
  expect(reads).toBeLessThan(20);
  const { turns } = await withTurns(() => applyInTurns(emptyFlow(), renames(10), clockOf(20)));
  expect(turns).toBeGreaterThanOrEqual(9);
});
