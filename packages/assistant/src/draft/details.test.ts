import { expect, it } from 'vitest';
import { type Covered, missingDetails } from './details.ts';
import { stemsOf } from './words.ts';

const covered = (words: string, more: Partial<Covered> = {}): Covered => ({
  words: new Set(stemsOf(words)),
  values: [],
  takesMessage: false,
  ...more,
});

it.each([
  ['translates it', 'translate', []],
  ['translates it in French', 'translate', ['in French']],
  ['translates it in French', 'translate french', []],
  ['writes it to Slack with a title', 'write', ['to Slack', 'with a title']],
  ['writes it with a title', 'write title', []],
  ['tells something about my files', 'tell', ['about my files']],
  ['tells something about my files', 'tell file', []],
])('takes %j apart: a flow with the words %j leaves out %j', (clause, words, missing) => {
  expect(missingDetails(clause, covered(words))).toEqual(missing);
});

it.each([
  ['keeps 3 rows', [], true],
  ['keeps 3 rows', [3], false],
  ['keeps 3 rows', [30], true],
  ['keeps three rows', [3], false],
  ['keeps three rows', [4], true],
  ['keeps one row', [], false],
  ['is above 1.5', ['1.5'], false],
  ['is above 1.5', ['125'], true],
  ['reads v2 files', [], false],
  ['keeps 3 rows', [{ limit: 3 }], false],
])('needs the number of %j among the values %j', (clause, values, isMissing) => {
  expect(missingDetails(clause, covered('keep row', { values }))).toEqual(isMissing ? [clause] : []);
});

it.each([
  'does not sort',
  'sorts or filters',
  'sorts unless empty',
  'sorts twice',
  'sorts the longest',
  'sorts REVERSED',
])('does not carry out “%s” where a word that turns it is not in the flow', (clause) => {
  expect(missingDetails(clause, covered('sort'))).toEqual([clause]);
});

it('finds such a word among the words and short values of a flow, and not in long texts', () => {
  const clause = 'sorts the longest';
  expect(missingDetails(clause, covered('sort longest'))).toEqual([]);
  expect(missingDetails(clause, covered('sort', { values: ['longest first'] }))).toEqual([]);
  const padding = 'x'.repeat(60 - 'longest '.length);
  expect(missingDetails(clause, covered('sort', { values: [`longest ${padding}`] }))).toEqual([]);
  expect(missingDetails(clause, covered('sort', { values: [`longest ${padding}x`] }))).toEqual([clause]);
});

it('judges a detail by itself', () => {
  expect(missingDetails('sorts them by name in 2 files', covered('sort name file'))).toEqual(['in 2 files']);
  expect(missingDetails('sorts them by \uE0000\uE001', covered('sort'))).toEqual([]);
});

it('takes what the user types for a message, where one comes in', () => {
  const clause = 'counts the words in what I type';
  expect(missingDetails(clause, covered('count', { takesMessage: true }))).toEqual([]);
  expect(missingDetails(clause, covered('count'))).not.toEqual([]);
});

it('leaves a question of the user out of a flow that takes no message', () => {
  const clause = 'answers questions in French';
  expect(missingDetails(clause, covered('answer'))).toEqual(['questions in French']);
  expect(missingDetails(clause, covered('answer french', { takesMessage: true }))).toEqual([]);
  expect(missingDetails('reads with care the questions', covered('read'))).toEqual([
    'questions',
    'with care the questions',
  ]);
  expect(missingDetails('asks a model', covered('ask model'))).toEqual([]);
});
