import { expect, it } from 'vitest';
import { memoryStorage } from './fake-assistant-server.ts';
import { forgetUser } from './forget-user.ts';
import { openKept } from './kept.ts';

it('forgets everything that the panel kept for a user, and nothing else', () => {
  const storage = memoryStorage();
  for (const user of ['u1', 'u2', 'xu1']) {
    const kept = openKept(user, () => storage);
    kept.writeSkipAll(true);
    kept.pushHistory('hello');
    kept.writeModel('a/b');
    kept.writeSession('f1', 's1');
    kept.writeIsOpen(true);
    kept.writeSize({ width: 400, height: 500 });
  }
  storage.setItem('croft-theme:u1', 'dark');
  forgetUser('u1', () => storage);
  expect(Object.keys(storage).filter((key) => key.endsWith(':u1'))).toEqual(['croft-theme:u1']);
  expect(Object.keys(storage)).toHaveLength(13);
});

it('does nothing without a storage', () => {
  expect(() =>
    forgetUser('u1', () => {
      throw new DOMException('denied', 'SecurityError');
    }),
  ).not.toThrow();
});
