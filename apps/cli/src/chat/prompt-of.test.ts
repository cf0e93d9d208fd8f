import { expect, it } from 'vitest';
import { promptOf } from './prompt-of.ts';

it('escapes what a model may write into a terminal, also in the choices of a question', () => {
  const clipboard = '\u001b]52;c;cm0gLXJmIH4=\u0007';
  const prompt = promptOf(`Which?${clipboard}`, [`a${clipboard}`, 'b\u202e'], `a${clipboard}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
  expect(prompt).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(prompt).toContain('Which?');
});
