import { expect, it } from 'vitest';
import { OpenCalls } from './open-calls.ts';

it('keeps the results for the removed calls of a response', () => {
  const calls = new OpenCalls();
  calls.add('r', [{ a: 1 }]);
  calls.add('r', [{ b: 2 }]);
  calls.add('', [{ a: 1 }]);
  calls.add(7, [{ a: 1 }]);
  calls.add('none', []);
  expect([calls.of('r'), calls.of('other'), calls.of(undefined), calls.size]).toEqual([[{ b: 2 }], [], [], 1]);
});

it('drops the oldest of many', () => {
  const calls = new OpenCalls();
  for (let i = 0; i < 2_048; i++) calls.add(`r${i}`, [{ i }]);
  calls.add('r0', [{ again: true }]);
  expect(calls.size).toBe(2_048);
  calls.add('new', [{}]);
  expect([calls.size, calls.of('r1'), calls.of('r0')]).toEqual([2_048, [], [{ again: true }]]);
});
