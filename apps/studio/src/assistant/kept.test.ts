import { expect, it } from 'vitest';
import { memoryStorage } from './fake-assistant-server.ts';
import { openKept } from './kept.ts';

const open = (storage = memoryStorage(), user = 'u1') => openKept(user, () => storage);

it('skips consent only where the user turned that on, and nothing else was written', () => {
  const storage = memoryStorage();
  const kept = open(storage);
  expect(kept.readSkipAll()).toBe(false);
  kept.writeSkipAll(true);
  expect(kept.readSkipAll()).toBe(true);
  expect(open(storage, 'u2').readSkipAll()).toBe(false);
  kept.writeSkipAll(false);
  expect(kept.readSkipAll()).toBe(false);
  for (const value of ['1', 'TRUE', 'yes']) {
    storage.setItem('croft-assistant-skip-all:u1', value);
    expect(kept.readSkipAll()).toBe(false);
  }
});

it('keeps the last ten messages, the newest first, without empty ones and repeats', () => {
  const kept = open();
  for (const each of ['a', ' b ', 'b', '  ', 'a']) kept.pushHistory(each);
  expect(kept.readHistory()).toEqual(['a', 'b', 'a']);
  for (let at = 0; at < 12; at++) kept.pushHistory(`m${at}`);
  expect(kept.readHistory()).toHaveLength(10);
  expect(kept.readHistory()[0]).toBe('m11');
});

it.each(['{', '"text"', '[1]', 'null'])('has no history in %s', (text) => {
  const storage = memoryStorage();
  storage.setItem('croft-assistant-input-history:u1', text);
  expect(open(storage).readHistory()).toEqual([]);
});

it('keeps a conversation for each flow, the model, and how the panel is shown', () => {
  const kept = open();
  expect([kept.readModel(), kept.readSession('f'), kept.readIsOpen(), kept.readIsDocked(), kept.readSize()]).toEqual([
    '',
    undefined,
    false,
    undefined,
    undefined,
  ]);
  kept.writeModel('p/m');
  kept.writeSession('f', 's');
  kept.writeIsOpen(true);
  kept.writeIsDocked(true);
  kept.writeSize({ width: 4, height: 5 });
  expect([kept.readModel(), kept.readSession('f'), kept.readSession('g'), kept.readIsOpen()]).toEqual([
    'p/m',
    's',
    undefined,
    true,
  ]);
  expect([kept.readIsDocked(), kept.readSize()]).toEqual([true, { width: 4, height: 5 }]);
  kept.writeIsDocked(false);
  kept.writeIsOpen(false);
  expect([kept.readIsDocked(), kept.readIsOpen()]).toEqual([false, false]);
});

it.each(['{"width":4}', '{"height":4}', '{"width":"4","height":5}', '{'])('has no size in %s', (text) => {
  const storage = memoryStorage();
  storage.setItem('croft-assistant-size:u1', text);
  expect(open(storage).readSize()).toBeUndefined();
});

it('works without a storage', () => {
  const kept = openKept('u1', () => {
    throw new DOMException('denied', 'SecurityError');
  });
  kept.writeSkipAll(true);
  expect([kept.readSkipAll(), kept.readHistory(), kept.readModel()]).toEqual([false, [], '']);
});

it('has a key of its own for each setting and each user', () => {
  const written: Record<string, string> = {};
  const storage = { getItem: () => null, setItem: (key: string, value: string) => void (written[key] = value) };
  const kept = openKept('u1', () => storage as unknown as Storage);
  kept.writeSkipAll(true);
  kept.pushHistory(' hi ');
  kept.writeModel('p/m');
  kept.writeSession('f', 's');
  kept.writeIsOpen(false);
  kept.writeIsDocked(true);
  kept.writeSize({ width: 4, height: 5 });
  expect(written).toEqual({
    'croft-assistant-skip-all:u1': 'true',
    'croft-assistant-input-history:u1': '["hi"]',
    'croft-assistant-selected-model:u1': 'p/m',
    'croft-assistant-session-f:u1': 's',
    'croft-assistant-open:u1': 'false',
    'croft-assistant-docked:u1': 'true',
    'croft-assistant-size:u1': '{"width":4,"height":5}',
  });
});

it('reads ten messages of a longer history', () => {
  const storage = memoryStorage();
  const list = Array.from({ length: 12 }, (_, at) => `m${at}`);
  storage.setItem('croft-assistant-input-history:u1', JSON.stringify(list));
  expect(open(storage).readHistory()).toEqual(list.slice(0, 10));
});
