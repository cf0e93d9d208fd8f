import { expect, it, vi } from 'vitest';
import type { EditState } from '../canvas/edit-state.ts';
import { whenSaved } from './when-saved.ts';

function storeWith(kind: EditState['save']['kind']) {
  const listeners = new Set<() => void>();
  let save = { kind } as EditState['save'];
  return {
    get: () => ({ save }) as EditState,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    flush: vi.fn(),
    change(next: EditState['save']['kind']) {
      save = { kind: next } as EditState['save'];
      for (const listener of listeners) listener();
    },
    listeners,
  };
}

it('resolves at once where the server has everything', async () => {
  const store = storeWith('saved');
  expect(await whenSaved(store)).toBe(true);
  expect(store.flush).not.toHaveBeenCalled();
});

it('sends what waits, and resolves when it is saved or when the user has to decide', async () => {
  for (const [end, result] of [
    ['saved', true],
    ['conflict', false],
    ['refused', false],
  ] as const) {
    const store = storeWith('saving');
    const waiting = whenSaved(store);
    expect(store.flush).toHaveBeenCalledOnce();
    store.change('waiting');
    store.change(end);
    expect([await waiting, store.listeners.size]).toEqual([result, 0]);
  }
});
