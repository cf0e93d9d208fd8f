import { applyEdits, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { begunFlow } from './changed-since.ts';
import { NO_RUN } from './run-state.ts';
import { createRunStore } from './run-store.ts';
import { addNode } from './testing-nodes.ts';
import { useChanged } from './use-changed.ts';

const page = usePage();
const FLOW = applyEdits(emptyFlow('f'), [addNode('a'), addNode('b')]).flow;
const EDITED = applyEdits(FLOW, [{ kind: 'configure', id: 'b', values: { x: '1' } }]).flow;

async function watch(knows?: number) {
  const store = createRunStore();
  const shown = { document: FLOW, version: 1 };
  const hook = await page.hook(() => useChanged(store, shown));
  const show = (document: typeof FLOW, version: number) => {
    Object.assign(shown, { document, version });
    hook.again();
  };
  const begin = () => store.set({ ...NO_RUN, status: 'running', begun: begunFlow(shown.document), knows });
  const changed = () => [...(store.get().changed ?? [])];
  return { store, show, begin, changed, again: hook.again };
}

it('marks the components that changed after the run began, and unmarks those that are as before', async () => {
  const { show, begin, changed, again } = await watch();
  show(EDITED, 1);
  expect(changed()).toEqual([]);
  show(FLOW, 1);
  begin();
  again();
  show(EDITED, 2);
  expect(changed()).toEqual(['b']);
  show(FLOW, 3);
  expect(changed()).toEqual([]);
});

it('does not count edits that the run has already, though they come to the page later', async () => {
  const { store, show, begin, changed, again } = await watch(3);
  begin();
  again();
  show(EDITED, 2);
  expect([changed(), store.get().knows]).toEqual([[], 3]);
  show(EDITED, 3);
  expect([changed(), store.get().knows]).toEqual([[], undefined]);
  show(FLOW, 4);
  expect(changed()).toEqual(['b']);
});
