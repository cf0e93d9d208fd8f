import { expect, it } from 'vitest';
import { Stop } from '../stop.ts';
import { addCandidate, type Candidate, type Found } from './findings.ts';

const empty = () => ({ candidates: new Map<string, Candidate>() }) as unknown as Found;

it('keeps the strongest weight of a path, and each of its roles', () => {
  const found = empty();
  addCandidate(found, 'a', 'guess', 'plain');
  addCandidate(found, 'a', 'path', 'plain');
  addCandidate(found, 'a', 'loose', 'plain');
  addCandidate(found, 'a', 'loose', 'output');
  addCandidate(found, 'a', 'guess', 'output');
  addCandidate(found, 'b', 'guess', 'plain');
  addCandidate(found, 'b', 'loose', 'plain');
  expect([...found.candidates.values()].map(({ written, weight, role }) => `${written} ${weight} ${role}`)).toEqual([
    'a path plain',
    'a loose output',
    'b loose plain',
  ]);
});

it('refuses a call with too many paths', () => {
  const found = empty();
  for (let i = 0; i < 4_000; i++) addCandidate(found, `${i}`, 'path', 'plain');
  expect(() => addCandidate(found, 'one more', 'path', 'plain')).toThrow(Stop);
  addCandidate(found, '1', 'path', 'plain');
  expect(found.candidates.size).toBe(4_000);
});
