import { expect, it } from 'vitest';
import { portsOf } from '../testing.ts';
import { TextInput } from './text-input.ts';

it('gives its text', () => {
  const run = (input_value: unknown) => Object.assign(new TextInput(), { input_value }).run().text;
  expect([run('a'), run({ text: 'b' }), run(3)]).toMatchObject([{ text: 'a' }, { text: 'b' }, { text: '3' }]);
});

it('has ports that stored flows name', () => {
  expect(portsOf(new TextInput())).toEqual(['input_value: multiline Message default=""', 'text: gives Message']);
});
