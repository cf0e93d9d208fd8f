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

it('leaves out warnings, problems of the whole flow and values that the form of a run asks for', () => {
  const missing = { ...finding('a', 'missing'), code: 'missing_value', field: 'text' } as Finding;
  const fields = [{ node: 'a', field: { name: 'text' } }] as unknown as Parameters<typeof problemsByNode>[1];
  const keysOf = (...findings: Finding[]) =>
    [...problemsByNode(findings, fields).values()].map(({ message }) => message);
  expect(keysOf(missing)).toEqual([]);
  expect(keysOf(missing, finding('a', 'other'))).toEqual(['other']);
  expect(keysOf({ ...missing, field: 'more' }, { ...missing, node: 'b' })).toEqual(['missing', 'missing']);
  expect(keysOf({ ...missing, code: 'unknown_component' } as Finding)).toEqual(['missing']);
  const whole = { ...finding('a', 'whole'), node: undefined } as unknown as Finding;
  expect(keysOf({ ...finding('a', 'warning'), severity: 'warning' }, whole)).toEqual([]);
});

it('shows another problem or another fix of a component', () => {
  const before = problemsByNode([finding('a', 'one')], []);
  const changed = [[finding('a', 'two')], [{ ...finding('a', 'one'), fix: 'Replace it.' }], [finding('b', 'one')]].map(
    (findings) => problemsByNode(findings, []),
  );
  expect(changed.map((next) => keptFindings(before, next) === next)).toEqual([true, true, true]);
});
