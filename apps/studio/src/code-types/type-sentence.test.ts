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

it.each([2304, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2867, 2868])('advises no types for %d', (code) => {
  expect(sentence(code, 'x')).toBe("Cannot find 'x': neither this code nor the sandbox has it.");
  expect(sentence(code, '"fs"')).toBe("A component imports from '@croft/component' only.");
});

it.each([2307, 2792, 2882])('knows %d as a missing module', (code) => {
  expect(sentence(code, 'fs')).toBe("A component imports from '@croft/component' only.");
});

it.each([2532, 18048])('knows %d as a value that may be undefined', (code) => {
  expect(sentence(code, 'this.x')).toMatch(/^'this\.x' may be undefined/);
  expect(sentence(code, 'that.this.')).toBe('The compiler says this.');
});

it('says what follows from a message in lines of its own', () => {
  const messageText = { messageText: 'First.', next: [{ messageText: 'Then.' }] } as ts.DiagnosticMessageChain;
  expect(sentenceFor({ code: 1005, messageText } as ts.Diagnostic, 'x')).toBe('First.\n  Then.');
});
