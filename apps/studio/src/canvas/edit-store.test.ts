import { applyEdits, type Edit, emptyFlow, type FlowDocument, FlowError, printFlow } from '@croft/flow';
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/request.ts';
import type { EditStore } from './edit-state.ts';
import { fakeServer, openPage } from './fake-edit-server.ts';
import { addNode } from './testing-nodes.ts';

const set = (id: string, values: Record<string, string>): Edit => ({ kind: 'configure', id, values });
const move = (id: string, x: number): Edit => ({ kind: 'move', positions: { [id]: { x, y: 0 } } });
const remove = (id: string): Edit => ({ kind: 'remove_component', id });
const START = applyEdits(emptyFlow('f'), [addNode('a'), addNode('b')]).flow;

const saved = (store: EditStore) => expect.poll(() => store.get().save.kind).toBe('saved');
const conflictIn = (store: EditStore) => expect.poll(() => store.get().save.kind).toBe('conflict');
const valuesOf = ({ nodes }: FlowDocument) => Object.fromEntries(nodes.map(({ id, values }) => [id, values]));

describe('the edits of a flow', () => {
  it('show at once, are sent together and in order, and keep untouched components the same objects', async () => {
    const server = fakeServer(START);
    const { store } = openPage(server);
    const b = store.get().document.nodes[1];
    store.apply([addNode('c')]);
    store.apply([set('c', { x: '1' })]);
    expect(valuesOf(store.get().document)).toEqual({ a: {}, b: {}, c: { x: '1' } });
    expect(store.get().save.kind).toBe('saving');
    const shown = store.get().document;
    await saved(store);
    expect(server.requests.map(({ edits }) => edits.length)).toEqual([2]);
    expect(printFlow(server.document)).toBe(printFlow(store.get().document));
    expect(store.get().document).toBe(shown);
    expect(store.get().document.nodes[1]).toBe(b);
  });

  it('show the code that the server gives a new component, also after undo and redo', async () => {
    const server = fakeServer(START);
    server.codes = { Own: 'export class Own {}' };
    const { store } = openPage(server);
    const code = () => store.get().document.nodes.find(({ id }) => id === 'o')?.code;
    store.apply([{ kind: 'add_component', node: { id: 'o', type: 'Own', position: { x: 0, y: 0 }, values: {} } }]);
    await saved(store);
    expect(code()).toBe('export class Own {}');
    store.step('undo');
    store.step('redo');
    expect(code()).toBe('export class Own {}');
    await saved(store);
    expect(printFlow(server.document)).toBe(printFlow(store.get().document));
  });

  it('are sent only while their user is signed in', async () => {
    const server = fakeServer(START);
    let isOwner = true;
    const { store } = openPage(server, { isOwner: () => isOwner });
    isOwner = false;
    store.apply([set('a', { x: 'mine' })]);
    store.flush();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([server.requests.length, store.get().save.kind]).toEqual([0, 'saving']);
    isOwner = true;
    store.flush();
    await saved(store);
    expect(server.requests).toHaveLength(1);
  });

  it('of a text that is being typed are one edit, which is sent when the typing pauses', async () => {
    const server = fakeServer(START);
    const { store } = openPage(server, { pauseMs: 200 });
    vi.useFakeTimers();
    try {
      for (const text of ['o', 'on', 'one']) {
        store.apply([set('a', { x: text })]);
        expect(valuesOf(store.get().document)).toMatchObject({ a: { x: text } });
        await vi.advanceTimersByTimeAsync(150);
      }
      expect(server.requests).toEqual([]);
      await vi.advanceTimersByTimeAsync(100);
      expect(server.requests.map(({ edits }) => edits)).toEqual([[set('a', { x: 'one' })]]);
    } finally {
      vi.useRealTimers();
    }
    expect(store.step('undo')).toBe(true);
    expect(valuesOf(store.get().document)).toEqual({ a: {}, b: {} });
    await saved(store);
  });

  it('are sent once although the answer gets lost, and are kept while the server does not answer', async () => {
    const server = fakeServer(START);
    const { store } = openPage(server);
    server.losesAnswer = true;
    server.failures = [new ApiError('http_503', 'Busy.', 503)];
    const seen = new Set<string>();
    store.subscribe(() => seen.add(store.get().save.kind));
    store.apply([addNode('c')]);
    await saved(store);
    expect([...seen]).toEqual(['saving', 'waiting', 'saved']);
    expect(server.requests).toHaveLength(3);
    expect(new Set(server.requests.map(({ key }) => key)).size).toBe(1);
    expect(server.version).toBe(2);
  });

  it('of a tab that was reloaded are sent once, whether or not the server has them already', async () => {
    for (const hasThem of [true, false]) {
      const server = fakeServer(START);
      const { store, kept } = openPage(server, { retryMs: 600_000 });
      if (hasThem) server.losesAnswer = true;
      else server.failures = [new ApiError('offline', 'Croft does not answer.', 0)];
      store.apply([addNode('c')]);
      await expect.poll(() => store.get().save.kind).toBe('waiting');
      store.apply([set('c', { x: '1' })]);
      expect(server.version).toBe(hasThem ? 2 : 1);
      const { store: next } = openPage(server, { kept });
      expect(valuesOf(next.get().document)).toEqual({ a: {}, b: {}, c: { x: '1' } });
      next.flush();
      await saved(next);
      expect(valuesOf(server.document)).toEqual({ a: {}, b: {}, c: { x: '1' } });
      expect(printFlow(next.get().document)).toBe(printFlow(server.document));
      expect(kept.unsent).toBeUndefined();
    }
  });

  it('that the server refuses stay, with the reason, until they are discarded or fit', async () => {
    const server = fakeServer(START);
    const { store } = openPage(server);
    const full = new ApiError('quota_exceeded', 'Your flows use all their space.', 409);
    server.failures = [full, full];
    store.apply([addNode('c')]);
    await expect.poll(() => store.get().save).toEqual({ kind: 'refused', message: full.message });
    store.flush();
    await expect.poll(() => server.requests).toHaveLength(2);
    await expect.poll(() => store.get().save.kind).toBe('refused');
    store.discard();
    expect(store.get().save.kind).toBe('saved');
    expect(Object.keys(valuesOf(store.get().document))).toEqual(['a', 'b']);
    expect(store.get().canUndo).toBe(false);
  });

  it('are refused at once where they do not fit or are not valid', () => {
    const { store } = openPage(fakeServer(START));
    expect(() => store.apply([remove('gone')])).toThrow('Component not found in flow: gone');
    expect(() => store.apply([{ kind: 'rename', id: 'a', name: 'x'.repeat(201) }])).toThrow(FlowError);
    expect(store.get().save.kind).toBe('saved');
  });
});

describe('edits of others', () => {
  it('arrive live, below the edits that are not sent yet', async () => {
    const server = fakeServer(START);
    const { store } = openPage(server);
    server.edit([set('a', { x: 'theirs' })]);
    store.announce(server.version);
    await expect.poll(() => valuesOf(store.get().document)).toEqual({ a: { x: 'theirs' }, b: {} });
    store.apply([set('a', { y: 'mine' })]);
    server.edit([set('a', { z: 'theirs' }), move('b', 7)]);
    await saved(store);
    expect(valuesOf(store.get().document)['a']).toEqual({ x: 'theirs', y: 'mine', z: 'theirs' });
    expect(printFlow(server.document)).toBe(printFlow(store.get().document));
  });

  it('are not overwritten: the same value asks, and either side can be kept', async () => {
    for (const keep of ['mine', 'theirs'] as const) {
      const server = fakeServer(START);
      const { store } = openPage(server);
      store.apply([set('a', { x: 'mine', y: 'mine' })]);
      server.edit([set('a', { x: 'theirs' })]);
      await conflictIn(store);
      expect(valuesOf(server.document)['a']).toEqual({ x: 'theirs' });
      expect(store.get().save).toMatchObject({ conflict: { clashes: [['node', 'a', 'value', 'x']] } });
      store.resolve(keep);
      await saved(store);
      expect(valuesOf(server.document)['a']).toEqual({ x: keep, y: 'mine' });
      expect(printFlow(server.document)).toBe(printFlow(store.get().document));
    }
  });

  it('during a request ask too, where the next edits touch the same part', async () => {
    const server = fakeServer(START);
    const { store } = openPage(server);
    store.apply([set('b', { x: 'first' })]);
    const answer = server.send.bind(server);
    server.send = async (request) => {
      server.edit([set('a', { x: 'theirs' })]);
      store.apply([set('a', { x: 'mine' })]);
      server.send = answer;
      return answer(request);
    };
    await conflictIn(store);
    expect(valuesOf(server.document)).toEqual({ a: { x: 'theirs' }, b: { x: 'first' } });
    store.resolve('mine');
    await saved(store);
    expect(valuesOf(server.document)['a']).toEqual({ x: 'mine' });
  });

  it('that removed a component bring it back where the user keeps edits of it', async () => {
    const server = fakeServer(START);
    const edge = { from: { node: 'a', port: 'o' }, to: { node: 'b', port: 'i' } };
    server.edit([{ kind: 'connect', edge }, set('a', { kept: 'yes' })]);
    const { store } = openPage(server);
    store.apply([set('a', { x: 'mine' })]);
    server.edit([remove('a')]);
    await conflictIn(store);
    store.resolve('mine');
    await saved(store);
    expect(valuesOf(server.document)['a']).toEqual({ kept: 'yes', x: 'mine' });
    expect(server.document.edges).toEqual([edge]);
    expect(printFlow(server.document)).toBe(printFlow(store.get().document));
  });

  it('do not ask for positions, nor where both did the same', async () => {
    const server = fakeServer(START);
    const { store } = openPage(server);
    store.apply([move('a', 1)]);
    store.apply([remove('b')]);
    server.edit([move('a', 2), remove('b')]);
    await saved(store);
    store.apply([move('a', 3)]);
    server.edit([remove('a')]);
    await saved(store);
    expect(server.document.nodes).toEqual([]);
    expect(printFlow(server.document)).toBe(printFlow(store.get().document));
  });

  it('of which the server does not keep the entries are taken as a whole', async () => {
    const server = fakeServer(START);
    const { store } = openPage(server);
    server.entriesAfter = async () => [
      { version: server.version, edits: [{ kind: 'set_flow', flow: server.document }] },
    ];
    server.edit([set('a', { x: 'theirs' })]);
    store.announce(server.version);
    await expect.poll(() => valuesOf(store.get().document)['a']).toEqual({ x: 'theirs' });
  });
});

describe('undo', () => {
  it('takes back and repeats each step, and the letters of a word together', async () => {
    const server = fakeServer(START);
    const { store, clock } = openPage(server);
    for (const text of ['h', 'he', 'hey']) store.apply([set('a', { x: text })]);
    clock.ms = 5_000;
    store.apply([set('a', { x: 'hey you' })]);
    store.apply([addNode('c'), set('c', { y: '1' })]);
    const last = printFlow(store.get().document);
    store.step('undo');
    expect(Object.keys(valuesOf(store.get().document))).toEqual(['a', 'b']);
    store.step('undo');
    expect(valuesOf(store.get().document)['a']).toEqual({ x: 'hey' });
    store.step('undo');
    expect(printFlow(store.get().document)).toBe(printFlow(START));
    expect([store.get().canUndo, store.step('undo')]).toEqual([false, false]);
    while (store.step('redo'));
    expect(printFlow(store.get().document)).toBe(last);
    await saved(store);
    expect(printFlow(server.document)).toBe(last);
  });

  it('takes back whole words of a text, however slowly they were typed, until its field is left', () => {
    const { store, clock } = openPage(fakeServer(START));
    const text = () => valuesOf(store.get().document)['a']?.['x'];
    const type = (...texts: readonly string[]) => {
      for (const each of texts) {
        clock.ms += 3_000;
        store.apply([set('a', { x: each })]);
      }
    };
    type('h', 'he', 'her', 'he', 'hey', 'hey ', 'hey y', 'hey yo', 'hey you', 'heyy you');
    store.endStep();
    type('heyy your');
    const seen = [text()];
    while (store.step('undo')) seen.push(text());
    expect(seen).toEqual(['heyy your', 'heyy you', 'hey ', 'hey', undefined]);
  });

  it('leaves alone what others changed since', async () => {
    const server = fakeServer(START);
    const { store } = openPage(server);
    store.apply([set('a', { x: 'mine', y: 'mine' })]);
    store.apply([set('b', { x: 'mine' })]);
    await saved(store);
    server.edit([set('a', { x: 'theirs' }), remove('b')]);
    store.announce(server.version);
    await expect.poll(() => store.get().document.nodes).toHaveLength(1);
    expect(store.step('undo')).toBe(true);
    expect(valuesOf(store.get().document)).toEqual({ a: { x: 'theirs' } });
    expect(store.step('undo')).toBe(false);
  });
});
