import { applyEdits, type Edit, emptyFlow, FlowError, printFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import type { EditStore } from './edit-state.ts';
import { fakeServer, openPage } from './fake-edit-server.ts';
import { addNode } from './testing-nodes.ts';

/** The same numbers in every run. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];

function anyEdit(pick: (below: number) => number): Edit {
  const [id = 'a', other = 'b', field = 'x'] = [IDS[pick(6)], IDS[pick(6)], ['x', 'y', 'z'][pick(3)]];
  const edge = { from: { node: id, port: 'o' }, to: { node: other, port: 'i' } };
  const edits: readonly Edit[] = [
    { kind: 'configure', id, values: { [field]: `${pick(1_000)}` } },
    { kind: 'move', positions: { [id]: { x: pick(500), y: pick(500) } } },
    { kind: 'connect', edge },
    { kind: 'disconnect', edge },
    { kind: 'rename', id, name: `Name ${pick(9)}` },
    pick(2) === 0 ? addNode(id) : { kind: 'remove_component', id },
    {
      kind: 'set_note',
      note: { id: 'n', position: { x: 0, y: 0 }, size: { width: 1, height: 1 }, text: `${pick(9)}` },
    },
  ];
  return edits[pick(edits.length)] as Edit;
}

function tryTo(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
  }
}

it('of two tabs and a client of the API leave all three with the same flow', async () => {
  const pick = numbers(7);
  const server = fakeServer(applyEdits(emptyFlow('f'), IDS.slice(0, 4).map(addNode)).flow);
  const pages = [openPage(server).store, openPage(server).store];
  let asked = 0;
  const answer = (store: EditStore) => {
    if (store.get().save.kind !== 'conflict') return;
    asked += 1;
    store.resolve(pick(2) === 0 ? 'mine' : 'theirs');
  };
  for (let round = 0; round < 1_000; round++) {
    const page = pages[pick(2)] as EditStore;
    if (pick(3) === 0) tryTo(() => server.edit([anyEdit(pick)]));
    else if (pick(6) === 0) page.step(pick(3) === 0 ? 'redo' : 'undo');
    else tryTo(() => page.apply([anyEdit(pick)]));
    if (pick(4) === 0) for (const each of pages) each.announce(server.version);
    for (let turns = pick(6); turns > 0; turns--) await Promise.resolve();
    for (const each of pages) answer(each);
  }
  const isDone = (store: EditStore) => store.get().save.kind === 'saved' && store.get().version === server.version;
  const areDone = () => {
    for (const each of pages) {
      answer(each);
      each.announce(server.version);
    }
    return pages.map(isDone);
  };
  await expect.poll(areDone).toEqual([true, true]);
  for (const each of pages) expect(printFlow(each.get().document)).toBe(printFlow(server.document));
  expect(asked).toBeGreaterThan(10);
});

it('undone give the first document byte for byte, and repeated the last one', () => {
  const pick = numbers(11);
  const start = applyEdits(emptyFlow('f'), IDS.slice(0, 4).map(addNode)).flow;
  const { store, clock } = openPage(fakeServer(start));
  let done = 0;
  while (done < 500) {
    clock.ms += 2_000;
    tryTo(() => {
      store.apply([anyEdit(pick)]);
      done += 1;
    });
  }
  const last = printFlow(store.get().document);
  while (store.step('undo'));
  expect(printFlow(store.get().document)).toBe(printFlow(start));
  while (store.step('redo'));
  expect(printFlow(store.get().document)).toBe(last);
});
