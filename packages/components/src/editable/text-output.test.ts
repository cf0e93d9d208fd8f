import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { TextOutput } from './text-output.ts';

it('gives the text that it gets', () => {
  const run = (input_value: unknown) => Object.assign(new TextOutput(), { input_value }).run().text;
  expect([run('a'), run({ text: 'b' }), run(3)]).toMatchObject([{ text: 'a' }, { text: 'b' }, { text: '3' }]);
});

it('has ports that stored flows name', () => {
  expect(portsOf(new TextOutput())).toEqual(['input_value: multiline Message required', 'text: gives Message']);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new TextOutput())).toEqual([
    'Text output (text-cursor): Gives a text as a result of the flow.',
    '',
    'input_value: Text',
    'text: Text',
  ]);
});
