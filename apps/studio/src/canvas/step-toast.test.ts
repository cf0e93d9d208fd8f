import { type Edit, emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { fakeServer, openPage } from './fake-edit-server.ts';
import { offerUndo } from './step-toast.ts';
import { addNode, nodeOf } from './testing-nodes.ts';

const page = usePage();
beforeEach(dismissToasts);

const REMOVE: Edit = { kind: 'remove_component', id: 'A' };

async function open() {
  const server = fakeServer({ ...emptyFlow('Now'), nodes: [nodeOf('A'), nodeOf('B')] });
  const { store } = openPage(server);
  const ids = () => store.get().document.nodes.map(({ id }) => id);
  const box = await page.show(createElement(Toaster));
  const does = (run: () => unknown) => act(async () => void run());
  return { server, store, ids, box, does };
}

it('takes its own step back, also after a later step was offered too', async () => {
  const { store, ids, box, does } = await open();
  await does(() => {
    store.apply([REMOVE]);
    offerUndo(store, 'Removed.');
  });
  const { version: _, ...content } = { ...emptyFlow('Kept'), nodes: [nodeOf('K')] };
  await does(() => {
    store.apply([{ kind: 'set_flow', flow: content }]);
    offerUndo(store, 'Restored.');
  });
  expect(box.textContent).toBe('Restored.Undo');
  await fire(named(box, 'Undo'), 'click');
  expect([ids(), box.textContent]).toEqual([['B'], '']);
});

it.each([
  ['an edit', (store) => store.apply([addNode('C')])],
  ['an undo', (store) => store.step('undo')],
  ['a redo without a step', (store) => store.step('redo')],
  ['a discard', (store) => store.discard()],
] satisfies [string, (store: Awaited<ReturnType<typeof open>>['store']) => void][])(
  'disappears with %s, wherever the page makes it',
  async (_, change) => {
    const { store, box, does } = await open();
    await does(() => {
      store.apply([REMOVE]);
      offerUndo(store, 'Removed.');
    });
    expect(box.textContent).toBe('Removed.Undo');
    await does(() => change(store));
    expect(box.textContent).toBe('');
  },
);

it('disappears with a step of the assistant, and stays with edits of others', async () => {
  const { server, store, ids, box, does } = await open();
  await does(() => {
    store.apply([REMOVE]);
    offerUndo(store, 'Removed.');
  });
  await expect.poll(() => store.get().save.kind).toBe('saved');
  server.edit([addNode('C')]);
  await does(() => store.announce(server.version));
  await expect.poll(ids).toEqual(['B', 'C']);
  expect(box.textContent).toBe('Removed.Undo');
  await does(() => store.adopt(new Set([server.version])));
  expect(box.textContent).toBe('');
});
