import { expect, it } from 'vitest';
import { isSaveKey } from './is-save-key.ts';

it('is S with Ctrl or the command key', () => {
  const none = { ctrlKey: false, metaKey: false };
  expect(isSaveKey({ ...none, key: 's', ctrlKey: true })).toBe(true);
  expect(isSaveKey({ ...none, key: 'S', metaKey: true })).toBe(true);
  expect([isSaveKey({ ...none, key: 's' }), isSaveKey({ ...none, key: 'a', ctrlKey: true })]).toEqual([false, false]);
});
