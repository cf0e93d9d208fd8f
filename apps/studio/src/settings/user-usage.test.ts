import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import type { ManagedUser } from '../api/users.ts';
import { usePage } from '../testing/page.ts';
import { sortUsers, UserUsage } from './user-usage.tsx';

const page = usePage();
const user = (more: object = {}) =>
  ({ lastActiveAt: null, storage: null, flows: 0, ...more }) as unknown as ManagedUser;
const bytes = (count: number | null) => ({ bytes: count, countedAt: '2026-01-01T00:00:00Z' });
const MB = 1024 * 1024;

async function show(more: object, quotaBytes: number | null = null) {
  const box = await page.show(createElement(UserUsage, { user: user(more), quotaBytes }));
  return { text: box.textContent, isNear: box.querySelector('.text-warn') !== null, box };
}

describe('what a user uses', () => {
  it.each([
    ['Never active · Counting files … · 0 flows', {}, null],
    ['Never active · Files cannot be read · 1 flow', { storage: bytes(null), flows: 1 }, MB],
    ['Never active · 1.0 MB · 2 flows', { storage: bytes(MB), flows: 2 }, null],
    ['Never active · 1.0 MB of 2.0 MB · 0 flows', { storage: bytes(MB) }, 2 * MB],
  ])('is: %s', async (text, more, quota) => expect((await show(more, quota)).text).toBe(text));

  it('is near the quota from nine tenths on', async () => {
    const isNear = async (count: number | null, quota: number | null) =>
      (await show({ storage: bytes(count) }, quota)).isNear;
    expect([await isNear(90, 100), await isNear(89, 100), await isNear(90, null), await isNear(null, 0)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('has the times of the last activity and of the count', async () => {
    const { text, box } = await show({ lastActiveAt: '2026-01-02T00:00:00Z', storage: bytes(1) });
    expect(text).toMatch(/^Active .+ · /);
    expect(box.querySelector('time')?.getAttribute('dateTime')).toBe('2026-01-02T00:00:00Z');
    expect(box.querySelector('span[title]')?.getAttribute('title')).toMatch(/^Counted .*2026/);
  });
});

it('sorts users by their last activity or the size of their files, and keeps the order of equal ones', () => {
  const users = [
    user({ id: 'a' }),
    user({ id: 'b', lastActiveAt: '2026-01-01T00:00:00Z', storage: bytes(null) }),
    user({ id: 'c', lastActiveAt: '2026-01-02T00:00:00Z', storage: bytes(5) }),
    user({ id: 'd', storage: bytes(0) }),
  ];
  const ids = (order: Parameters<typeof sortUsers>[1]) =>
    sortUsers(users, order)
      .map(({ id }) => id)
      .join('');
  expect([ids('added'), ids('active'), ids('storage')]).toEqual(['abcd', 'cbad', 'cdab']);
});
