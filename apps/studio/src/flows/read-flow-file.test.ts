import { describe, expect, it } from 'vitest';
import { fileNameOf, sourceOf, templateTitle } from './read-flow-file.ts';

describe('the source of an import', () => {
  it.each([
    ['a JSON object', '{"version": 1}', { version: 1 }],
    ['the text form', 'name: A\nnodes: {}', 'name: A\nnodes: {}'],
    ['JSON that is not an object, for the server to refuse', '[1]', '[1]'],
    ['broken JSON, for the server to refuse', '{"version":', '{"version":'],
  ])('is %s', (_, text, source) => {
    expect(sourceOf(text)).toEqual(source);
  });
});

it.each([
  ['Word count', 'word-count.json'],
  ['../Grüße & 日本', 'grüße-日本.json'],
  ['…', 'flow.json'],
  ['x'.repeat(200), `${'x'.repeat(80)}.json`],
])('exports the flow %s to a plain file name', (name, file) => {
  expect(fileNameOf(name)).toBe(file);
});

it('takes the title of a template from its text, else its name', () => {
  expect(templateTitle({ name: 'word-count', spec: 'name: Word count\nnodes:\n' })).toBe('Word count');
  expect(templateTitle({ name: 'word-count', spec: 'nodes:\n' })).toBe('word-count');
});
