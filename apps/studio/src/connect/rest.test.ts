import { afterEach, expect, it, vi } from 'vitest';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
import { restOf } from './rest.ts';

afterEach(() => vi.unstubAllGlobals());

it('stays after a reload, for one user', () => {
  vi.stubGlobal('localStorage', memoryStorage());
  restOf('u1').want(true);
  expect([restOf('u1').isWanted(), restOf('u2').isWanted()]).toEqual([true, false]);
  restOf('u1').want(false);
  expect([restOf('u1').isWanted(), localStorage.length]).toEqual([false, 0]);
});

it('was stored by another tab', () => {
  vi.stubGlobal('localStorage', memoryStorage());
  localStorage.setItem('croft.rest.u3', '1');
  expect(restOf('u3').isWanted()).toBe(true);
});

it('lasts until the page closes if the browser has no storage', () => {
  restOf('u4').want(true);
  expect(restOf('u4').isWanted()).toBe(true);
  restOf('u4').want(false);
  expect(restOf('u4').isWanted()).toBe(false);
});
