import type ts from 'typescript';
import { expect, it } from 'vitest';
import { sentenceFor } from './type-sentence.ts';

const sentence = (code: number, text: string, messageText = 'The compiler says this.') =>
  sentenceFor({ code, messageText } as ts.Diagnostic, text);

it.each([
  [2307, 'x', "A component imports from '@croft/component' only."],
  [2580, "'fs'", "A component imports from '@croft/component' only."],
  [2584, 'console', 'The sandbox has no console. Write this.log(…).'],
  [2304, 'window', "Cannot find 'window': neither this code nor the sandbox has it."],
  [
    18048,
    'this.value',
    "'this.value' may be undefined, as an input without a value is: give it a default, or make it required.",
  ],
  [2532, 'other', 'The compiler says this.'],
  [2339, 'x', 'The compiler says this. The list inputs declares the inputs.'],
  [1005, 'x', 'The compiler says this.'],
])('explains %d at %s', (code, text, message) => {
  expect(sentence(code, text)).toBe(message);
});

it('shortens long messages', () => {
  expect(sentence(1005, 'x', 'y'.repeat(900))).toHaveLength(600);
});
