import { expect, it } from 'vitest';
import { failed, next, quotedList, textOf, textParameters } from './assistant-tool.ts';

it('describes texts as a schema, of which those with a question mark may be left out', () => {
  expect(textParameters({ path: 'Where.', 'more?': 'What.' })).toEqual({
    type: 'object',
    properties: { path: { type: 'string', description: 'Where.' }, more: { type: 'string', description: 'What.' } },
    required: ['path'],
    additionalProperties: false,
  });
});

it('reads a text without the spaces around it, a number as text, and anything else as none', () => {
  const args = { a: ' x y ', b: 7, c: null, d: ['x'] };
  expect(['a', 'b', 'c', 'd', 'e'].map((name) => textOf(args, name))).toEqual(['x y', '7', '', '', '']);
});

it('makes failures, the next call and lists for a model', () => {
  expect(failed('No.', { summary: 'Not.' })).toEqual({ error: 'No.', text: 'No.', summary: 'Not.' });
  expect(next('run_flow', { a: 1 })).toEqual({ next: { tool: 'run_flow', arguments: { a: 1 } } });
  expect([quotedList([]), quotedList(['a', 'b'])]).toEqual(['[]', "['a', 'b']"]);
});
