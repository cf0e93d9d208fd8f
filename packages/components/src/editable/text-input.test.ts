import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { TextInput } from './text-input.ts';

it('gives its text', () => {
  const run = (input_value: unknown) => Object.assign(new TextInput(), { input_value }).run().text;
  expect([run('a'), run({ text: 'b' }), run(3)]).toMatchObject([{ text: 'a' }, { text: 'b' }, { text: '3' }]);
});

it('has ports that stored flows name', () => {
  expect(portsOf(new TextInput())).toEqual(['input_value: multiline Message default=""', 'text: gives Message']);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new TextInput())).toEqual([
    'Text input (text): A text for the flow. Names in braces become inputs.',
    '',
    'input_value: Text',
    'text: Text',
  ]);
});
