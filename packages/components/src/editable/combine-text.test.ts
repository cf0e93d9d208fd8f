import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { CombineText } from './combine-text.ts';

const run = (values: Partial<CombineText>) =>
  Object.assign(new CombineText(), { delimiter: ' ', text1: '', text2: '', ...values }).run().combined_text.text;

it('joins the two texts and then the connected ones, without the empty ones', () => {
  expect(run({ text1: 'a', text2: 'b', texts: ['c', { text: 'd' }, ''], delimiter: '-' })).toBe('a-b-c-d');
  expect([run({ texts: ['x', 'y'] }), run({ text2: 'b', texts: 'no list' }), run({})]).toEqual(['x y', 'b', '']);
});

it('has ports that stored flows name', () => {
  expect(portsOf(new CombineText())).toEqual([
    'texts: handle Message list',
    'text1: text Message advanced default=""',
    'text2: text Message advanced default=""',
    'delimiter: text default=" " variables=false',
    'combined_text: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new CombineText())).toEqual([
    'Combine text (merge): Joins texts, in the order of their connections.',
    '',
    'texts: Texts',
    'text1: First text',
    'text2: Second text',
    'delimiter: Between them',
    'combined_text: Text',
  ]);
});
