import { expect, it } from 'vitest';
import { ALLOW, BLOCK } from '../../testing.ts';
import type { Verdict } from '../wire.ts';
import { isWhole, StreamedCalls } from './streamed-calls.ts';

const started = { id: 't', names: ['a'], input: undefined, native: true };
const verdict = (key: string, blocked: boolean): Verdict => ({
  key,
  name: 'a',
  blocked,
  decision: blocked ? BLOCK : ALLOW,
  result: 'r',
  note: blocked ? 'note' : '',
});
const counts = ({ open, unsettled, kept, refused }: StreamedCalls) => ({ open, unsettled, kept, refused });

it('counts the calls in each state', () => {
  const calls = new StreamedCalls();
  const one = calls.begin(0, started);
  const two = calls.begin(3, started);
  expect([one.key, two.key]).toEqual(['0', '3']);
  expect(counts(calls)).toEqual({ open: 2, unsettled: 2, kept: 0, refused: 0 });
  calls.complete(one);
  expect(counts(calls)).toEqual({ open: 1, unsettled: 2, kept: 0, refused: 0 });
  calls.completeAll();
  expect([one.state, two.state, calls.open]).toEqual(['complete', 'complete', 0]);
  calls.settle([verdict('0', true), verdict('3', false)]);
  expect(counts(calls)).toEqual({ open: 0, unsettled: 0, kept: 1, refused: 1 });
  expect([one.state, one.note, two.state, two.note]).toEqual(['refused', 'note', 'kept', '']);
});

it('reports each complete call once, with its fault', () => {
  const calls = new StreamedCalls();
  const one = calls.begin(0, started);
  const two = calls.begin(1, started);
  one.deltas = '{"x":1}';
  calls.complete(one);
  expect(calls.seen()).toEqual([{ key: '0', readings: [{ name: 'a', arguments: '{"x":1}' }] }]);
  expect(calls.seen()).toEqual([]);
  two.fault = 'ambiguous-arguments';
  calls.completeAll();
  expect(calls.seen()).toMatchObject([{ key: '1', fault: 'ambiguous-arguments' }]);
});

it('refuses a call without a verdict, and keeps what was decided', () => {
  const calls = new StreamedCalls();
  const one = calls.begin(0, started);
  calls.completeAll();
  calls.settle([verdict('9', false)]);
  expect([one.state, one.note]).toEqual(['refused', 'A tool call was refused and not run.']);
  const two = calls.begin(1, started);
  calls.completeAll();
  calls.settle([verdict('0', false), verdict('1', false)]);
  expect([one.state, two.state, calls.refused, calls.kept]).toEqual(['refused', 'kept', 1, 1]);
  calls.settle([verdict('1', true)]);
  expect(two.state).toBe('kept');
});

it('knows an input that is complete', () => {
  expect(['', ' \n', '{}', '{"a":1}', '{"a":', '{}}'].map(isWhole)).toEqual([true, true, true, true, false, false]);
});
