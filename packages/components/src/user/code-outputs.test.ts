import { expect, it } from 'vitest';
import { expandedOutputs, withoutMethod } from './code-outputs.ts';
import type { CodeOutput } from './sandbox/messages.ts';

const each = { name: 'route_{n}', label: 'Route {n}', types: ['Message'], method: 'run', each: 'routes' } as CodeOutput;
const plain = { name: 'result', label: 'Result', types: ['Message'], method: 'build' } as CodeOutput;

it('has one output for each row of a field, named by its first column', () => {
  const rows = [{ name: 'Good', more: 1 }, { name: '' }, 'Text'];
  expect(expandedOutputs([each, plain], { routes: rows }).map(({ name, label }) => [name, label])).toEqual([
    ['route_1', 'Good'],
    ['route_2', 'Route 2'],
    ['route_3', 'Text'],
    ['result', 'Result'],
  ]);
});

it('has none where the field has no rows', () => {
  expect(expandedOutputs([each], {})).toEqual([]);
  expect(expandedOutputs([each], { routes: 'text' })).toEqual([]);
});

it('leaves out what only the code needs', () => {
  expect(withoutMethod(each)).toEqual({ name: 'route_{n}', label: 'Route {n}', types: ['Message'] });
});
