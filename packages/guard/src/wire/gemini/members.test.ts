import { expect, it } from 'vitest';
import { foldName, memberNames, readMembers, snakeCase, strangers } from './members.ts';

const NAMES = memberNames('functionCall', 'text');

it('reads members in both of their spellings, and none that is null', () => {
  expect(readMembers({ functionCall: 1, text: 'a', other: 2 }, NAMES)).toEqual({ functionCall: 1, text: 'a' });
  expect(readMembers({ function_call: 1, text: null }, NAMES)).toEqual({ functionCall: 1 });
});

it('reads nothing where parsers would disagree', () => {
  for (const object of [
    { FunctionCall: 1 },
    { functioncall: 1 },
    { function_Call: 1 },
    { TEXT: 'a' },
    { functionCall: 1, function_call: null },
  ])
    expect(readMembers(object, NAMES), JSON.stringify(object)).toBeUndefined();
});

it('gives the values of unknown members', () => {
  expect(strangers({ functionCall: 1, TEXT: 2, other: 3, more: [4] }, NAMES)).toEqual([3, [4]]);
});

it('folds the spellings of a name', () => {
  expect([snakeCase('functionCall'), foldName('function_call'), foldName('FunctionCall')]).toEqual([
    'function_call',
    'functioncall',
    'functioncall',
  ]);
});
