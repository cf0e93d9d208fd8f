import { expect, it } from 'vitest';
import { shownOutputs } from './shown-outputs.ts';

const PORTS = [{ name: 'dataframe', label: 'Rows' }];

it('shows the values of a run under the labels of the outputs', () => {
  const outputs = { dataframe: [{ a: 1 }], data: { a: 1 }, report: null };
  expect(shownOutputs({ status: 'done', outputs }, PORTS)).toEqual([
    { name: 'dataframe', label: 'Rows', value: [{ a: 1 }] },
    { name: 'data', label: 'data', value: { a: 1 } },
  ]);
});

it('shows nothing of a component that has not ended', () => {
  expect(shownOutputs({ status: 'running', outputs: { dataframe: [] } }, PORTS)).toEqual([]);
  expect(shownOutputs(undefined, PORTS)).toEqual([]);
});
