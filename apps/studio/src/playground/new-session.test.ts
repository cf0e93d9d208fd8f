import { expect, it } from 'vitest';
import { newSession, toPlayground } from './new-session.ts';

it('has another id for each conversation', () => {
  const ids = Array.from({ length: 50 }, newSession);
  expect(new Set(ids).size).toBe(50);
  expect(ids[0]).toMatch(/^chat-[a-z0-9]+-[a-z0-9]+$/);
});

it('has an address for a new and for a stored conversation', () => {
  expect([toPlayground('f'), toPlayground('f', 'a&b')]).toEqual(['/flows/f/play', '/flows/f/play?chat=a%26b']);
});
