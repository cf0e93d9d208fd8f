import { expect, it } from 'vitest';
import type { Finding } from '../api/flows.ts';
import { keptFindings, problemsByNode } from './findings.ts';

const finding = (node: string, message: string): Finding => ({
  severity: 'error',
  code: 'unknown_component',
  node,
  message,
  fix: 'Remove it.',
});

it('keeps the problems as the same object while no component shows another one', () => {
  const before = problemsByNode([finding('a', 'one'), finding('a', 'two'), finding('b', 'one')], []);
  expect([...before].map(([node, { message }]) => `${node} ${message}`)).toEqual(['a one', 'b one']);
  const same = problemsByNode([finding('a', 'one'), finding('b', 'one')], []);
  expect(keptFindings(before, same)).toBe(before);
  const changed = problemsByNode([finding('a', 'one'), finding('b', 'three')], []);
  expect(keptFindings(before, changed)).toBe(changed);
  const fewer = problemsByNode([finding('a', 'one')], []);
  expect(keptFindings(before, fewer)).toBe(fewer);
  expect(keptFindings(undefined, same)).toBe(same);
});
