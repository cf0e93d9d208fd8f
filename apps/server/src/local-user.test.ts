import { expect, it } from 'vitest';
import { isOfThisMode, LOCAL_USER_ID } from './local-user.ts';

it('has the local user under auto-login only, and other users only without it', () => {
  expect(isOfThisMode(LOCAL_USER_ID, { autoLogin: true })).toBe(true);
  expect(isOfThisMode('ann', { autoLogin: true })).toBe(false);
  expect(isOfThisMode(LOCAL_USER_ID, { autoLogin: false })).toBe(false);
  expect(isOfThisMode('ann', { autoLogin: false })).toBe(true);
  expect(LOCAL_USER_ID).toBe('local');
});
