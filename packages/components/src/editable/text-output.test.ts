import { expect, it } from 'vitest';
import { portsOf } from '../testing.ts';
import { TextOutput } from './text-output.ts';

it('gives the text that it gets', () => {
  const run = (input_value: unknown) => Object.assign(new TextOutput(), { input_value }).run().text;
  expect([run('a'), run({ text: 'b' }), run(3)]).toMatchObject([{ text: 'a' }, { text: 'b' }, { text: '3' }]);
});

it('has ports that stored flows name', () => {
  expect(portsOf(new TextOutput())).toEqual(['input_value: multiline Message required', 'text: gives Message']);
});
