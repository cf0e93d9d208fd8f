import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { fakeServer, openPage } from './fake-edit-server.ts';

const at = { x: 0, y: 0 };
const node = (id: string, values = {}) => ({ id, type: 'Prompt', position: at, values });
const add = (id: string, values = {}) => ({ kind: 'add_component' as const, node: node(id, values) });
const set = (id: string, values: Record<string, string>) => ({ kind: 'configure' as const, id, values });

function openTwo() {
  const server = fakeServer({ ...emptyFlow(), nodes: [node('A', { text: 'first', other: 'x' })] });
  const { store } = openPage(server);
  const ids = () => store.get().document.nodes.map(({ id }) => id);
  const valueOf = (name: string) => store.get().document.nodes.find(({ id }) => id === 'A')?.values[name];
  return { server, store, ids, valueOf };
}

it('takes adopted edits back as one step, and repeats them', async () => {
  const { server, store, ids, valueOf } = openTwo();
  server.edit([add('B')]);
  server.edit([set('A', { text: 'second' })]);
  store.announce(3);
  await expect.poll(ids).toEqual(['A', 'B']);
  expect(store.get().canUndo).toBe(false);
  store.adopt(new Set([2, 3]));
  expect(store.get().canUndo).toBe(true);
  store.step('undo');
  expect(ids()).toEqual(['A']);
  expect(valueOf('text')).toBe('first');
  store.step('redo');
  expect(ids()).toEqual(['A', 'B']);
  expect(valueOf('text')).toBe('second');
});

it('leaves alone what others changed between and after them', async () => {
  const { server, store, ids, valueOf } = openTwo();
  server.edit([set('A', { text: 'assistant' })]);
  server.edit([set('A', { other: 'theirs' }), add('C')]);
  server.edit([add('B')]);
  store.announce(4);
  await expect.poll(ids).toEqual(['A', 'C', 'B']);
  store.adopt(new Set([2, 4]));
  server.edit([set('A', { text: 'theirs' })]);
  store.announce(5);
  await expect.poll(() => valueOf('text')).toBe('theirs');
  store.step('undo');
  expect(ids()).toEqual(['A', 'C']);
  expect(valueOf('text')).toBe('theirs');
  expect(valueOf('other')).toBe('theirs');
});

it('adopts an edit once, and none that it never received', async () => {
  const { server, store, ids } = openTwo();
  server.edit([add('B')]);
  store.announce(2);
  await expect.poll(ids).toEqual(['A', 'B']);
  store.adopt(new Set([7]));
  expect(store.get().canUndo).toBe(false);
  store.adopt(new Set([2]));
  store.adopt(new Set([2]));
  store.step('undo');
  expect(store.get().canUndo).toBe(false);
});
