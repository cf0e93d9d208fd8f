import { expect, it } from 'vitest';
import { partsOf } from './use-visible-rows.ts';

const spelled = (...args: Parameters<typeof partsOf>) =>
  partsOf(...args).map(({ from, to, isGap }) => `${isGap ? 'gap' : 'rows'} ${from}-${to}`);

it('all rows of a short list are rendered', () => {
  expect(spelled(10, 10, { from: 0, to: 10 }, 3)).toEqual(['rows 0-10']);
  expect(spelled(0, 0, { from: 0, to: 0 }, -1)).toEqual([]);
});

it('the rows around the window are gaps, but for the active one', () => {
  const window = { from: 400, to: 500 };
  expect(spelled(1_000, 1_000, window, 450)).toEqual(['gap 0-400', 'rows 400-500', 'gap 500-1000']);
  expect(spelled(1_000, 1_000, window, 7)).toEqual([
    'gap 0-7',
    'rows 7-8',
    'gap 8-400',
    'rows 400-500',
    'gap 500-1000',
  ]);
  expect(spelled(1_000, 1_000, window, 999)).toEqual(['gap 0-400', 'rows 400-500', 'gap 500-999', 'rows 999-1000']);
});

it('rows that are not loaded are a gap', () => {
  expect(spelled(1_000, 450, { from: 400, to: 500 }, 0)).toEqual([
    'rows 0-1',
    'gap 1-400',
    'rows 400-450',
    'gap 450-1000',
  ]);
  expect(spelled(1_000, 300, { from: 400, to: 500 }, -1)).toEqual(['gap 0-1000']);
});
