import { expect, it } from 'vitest';
import { splitCommand } from './split-command.ts';

it.each([
  ['npx -y server', ['npx', '-y', 'server']],
  ['  a   b ', ['a', 'b']],
  [`run "two words" 'and three more'`, ['run', 'two words', 'and three more']],
  ['a "say \\"hi\\" \\\\"', ['a', 'say "hi" \\']],
  [`a '' ""`, ['a', '', '']],
  ['a $HOME;b | c', ['a', '$HOME;b', '|', 'c']],
  ['', []],
])('%j', (line, words) => {
  expect(splitCommand(line)).toEqual(words);
});
