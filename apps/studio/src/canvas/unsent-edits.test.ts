import { expect, it } from 'vitest';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
import { addNode } from './testing-nodes.ts';
import { createUnsentEdits } from './unsent-edits.ts';

const unsent = { since: 3, changes: [{ edits: [addNode('a')] }], sending: { key: 'k', count: 1 } };

it('keeps the edits of a user and flow over a reload, and of no other', () => {
  const storage = memoryStorage();
  const open = (user: string, flow: string) => createUnsentEdits(user, flow, () => storage);
  open('u1', 'f1').write(unsent);
  expect([open('u1', 'f1').read(), open('u2', 'f1').read(), open('u1', 'f2').read()]).toEqual([
    unsent,
    undefined,
    undefined,
  ]);
});

it('forgets them once the server has them', () => {
  const storage = memoryStorage();
  const kept = createUnsentEdits('u', 'f', () => storage);
  for (const empty of [undefined, { since: 3, changes: [] }]) {
    kept.write(unsent);
    kept.write(empty);
    expect([kept.read(), storage.length]).toEqual([undefined, 0]);
  }
});

it('never keeps older edits where the storage is full', () => {
  const storage = memoryStorage();
  const kept = createUnsentEdits('u', 'f', () => storage);
  kept.write(unsent);
  storage.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  kept.write({ ...unsent, since: 4 });
  expect(kept.read()).toBeUndefined();
});

it('has nothing where the storage is missing or broken', () => {
  const storage = memoryStorage();
  storage.setItem('croft-unsent-edits:u:f', '{');
  expect(createUnsentEdits('u', 'f', () => storage).read()).toBeUndefined();
  const denied = createUnsentEdits('u', 'f', () => {
    throw new DOMException('denied', 'SecurityError');
  });
  denied.write(unsent);
  expect(denied.read()).toBeUndefined();
});
