import { expect, it } from 'vitest';
import { choiceOf, promptOf } from './question.ts';

const FLOW = { text: 'Put it into the flow?', choices: ['add', 'replace', 'dismiss'], byDefault: 'dismiss' };
const RUN = { text: 'Run it?', choices: ['Run', 'Do not run'], byDefault: 'Do not run' };
const COLOUR = { text: 'Which?', choices: ['yellow', 'navy'], byDefault: 'navy', takesAny: true };

it('shows the key of each choice, and the choice of Enter', () => {
  expect(promptOf(FLOW)).toBe('Put it into the flow? [y] add / [r] replace / [n] dismiss (Enter: dismiss) ');
  expect(promptOf(COLOUR)).toBe('Which? [1] yellow / [2] navy (Enter: navy; or write another answer) ');
});

it('gives a choice its first letter only where that names this choice alone', () => {
  const keys = (...middle: string[]) =>
    promptOf({ text: 'Q?', choices: ['add', ...middle, 'dismiss'], byDefault: 'add' });
  expect(keys('replace', 'rename')).toBe('Q? [y] add / [2] replace / [3] rename / [n] dismiss (Enter: add) ');
  expect(keys('Replace', 'keep')).toBe('Q? [y] add / [r] Replace / [k] keep / [n] dismiss (Enter: add) ');
  expect(keys('yes', 'never')).toBe('Q? [y] add / [2] yes / [3] never / [n] dismiss (Enter: add) ');
  expect(keys('7', '')).toBe('Q? [y] add / [2] 7 / [3]  / [n] dismiss (Enter: add) ');
});

it.each([
  [FLOW, 'yes', 'add'],
  [FLOW, 'ye', undefined],
  [FLOW, 'non', undefined],
  [FLOW, '1', 'add'],
  [FLOW, '0', undefined],
  [FLOW, '22', undefined],
  [RUN, 'do', 'Do not run'],
  [COLOUR, 'yes', 'yes'],
  [COLOUR, ' ', 'navy'],
  [COLOUR, '9', '9'],
  [COLOUR, ' Dark green ', 'Dark green'],
  [{ ...FLOW, choices: ['add', 'replace', 'rename'] }, 're', undefined],
  [{ ...COLOUR, choices: ['red', 'rest'] }, 're', 're'],
  [FLOW, 'y', 'add'],
  [FLOW, ' Yes ', 'add'],
  [FLOW, 'n', 'dismiss'],
  [FLOW, 'NO', 'dismiss'],
  [FLOW, '', 'dismiss'],
  [FLOW, 'r', 'replace'],
  [FLOW, 'rep', 'replace'],
  [FLOW, '2', 'replace'],
  [FLOW, 'Replace', 'replace'],
  [FLOW, 'maybe', undefined],
  [FLOW, '4', undefined],
  [RUN, 'y', 'Run'],
  [RUN, 'n', 'Do not run'],
  [RUN, 'run', 'Run'],
  [COLOUR, 'y', 'yellow'],
  [COLOUR, 'n', 'navy'],
  [COLOUR, 'no', 'no'],
  [COLOUR, '1', 'yellow'],
  [COLOUR, 'Dark green', 'Dark green'],
])('of the question %j, the answer %j is %s', (question, answer, choice) => {
  expect(choiceOf(answer, question)).toBe(choice);
});

it('escapes what a model may write into a terminal, also in the choices of a question', () => {
  const clipboard = '\u001b]52;c;cm0gLXJmIH4=\u0007';
  const choices = [`a${clipboard}`, 'b\u202e'];
  const prompt = promptOf({ text: `Which?${clipboard}`, choices, byDefault: `a${clipboard}` });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
  expect(prompt).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(prompt).toContain('Which?');
});
