import { describe, expect, it } from 'vitest';
import { append, closed, type Draft, finish, splitInto } from './draft.ts';
import { ANY, GLOB, SPLIT } from './marks.ts';
import type { ShellState } from './state.ts';

const START: Draft = { done: [], current: undefined };
const stateOf = (ifs?: string) =>
  ({ variables: new Map(ifs === undefined ? [] : [['IFS', [ifs]]]) }) as unknown as ShellState;
const split = (text: string, from: Draft = START, ifs?: string) => finish(splitInto(from, text, stateOf(ifs)));

describe('a word', () => {
  it('continues with quoted text in each possible way', () => {
    const drafts = append([START, { done: ['x'], current: 'a' }], ['1', '2 3']);
    expect(drafts.map(finish)).toEqual([['1'], ['2 3'], ['x', 'a1'], ['x', 'a2 3']]);
    expect([finish(START), finish(closed({ done: ['x'], current: '' }))]).toEqual([[], ['x', '']]);
  });

  it.each([
    ['a b', ['a', 'b']],
    [' a\t\nb ', ['a', 'b']],
    ['', []],
    ['   ', []],
    ['a*?[', [`a${GLOB}*${GLOB}?${GLOB}[`]],
    [`a${GLOB}*`, [`a${GLOB}*`]],
    [`x${ANY}y`, [`x${ANY}${SPLIT}y`]],
  ])('is split as a shell does it: %j', (text, fields) => {
    expect(split(text)).toEqual(fields);
  });

  it('begins with the text before an unquoted part, and ends with the next blank', () => {
    expect(split('b c', { done: ['x'], current: 'a' })).toEqual(['x', 'ab', 'c']);
    expect(split(' c', { done: [], current: 'a' })).toEqual(['a', 'c']);
  });

  it('is split at the separators that the command line sets, and everywhere at unknown ones', () => {
    expect(split('a:b c', START, ':')).toEqual(['a', 'b c']);
    expect(split('a b', START, ANY)).toEqual([]);
  });
});
