import { describe, expect, it } from 'vitest';
import type { Json } from '../document.ts';
import type { Finding } from '../validate.ts';
import type { ExportedNode } from './read-export.ts';
import { asTextOperation, TEXT_OPERATIONS } from './text-operations.ts';

/** Imports an operation with these values. */
function read(operation: Json, values: Readonly<Record<string, Json>> = {}) {
  const findings: Finding[] = [];
  const fields = Object.fromEntries(Object.entries({ operation, ...values }).map(([name, value]) => [name, { value }]));
  const node = { id: 'T-1', type: 'TextOperations', fields } as unknown as ExportedNode;
  const { node: made, counterpart } = asTextOperation(node, findings);
  const value = (name: string) => made.fields[name]?.value;
  return { made, counterpart, value, findings, warnings: findings.map(({ message }) => message) };
}

describe('an operation of an export', () => {
  it.each([
    ['Text Replace', 'Replace'],
    ['Text Strip', 'Trim'],
    ['Text Head', 'First characters'],
    ['Text Tail', 'Last characters'],
    ['Case Conversion', 'Lower case'],
  ])('%s becomes %s', (given, expected) => {
    for (const form of [[{ name: given }], { name: given }, given, [given]])
      expect(read(form as Json).value('operation')).toBe(expected);
  });

  it('has the case that it names', () => {
    expect(read('Case Conversion', { case_type: 'title' }).value('operation')).toBe('Title case');
    expect(read('Case Conversion', { case_type: 'uppercase' }).value('operation')).toBe('Upper case');
  });

  it('has the number of its characters', () => {
    expect(read('Text Head', { head_characters: 7, tail_characters: 9 }).value('count')).toBe(7);
    expect(read('Text Tail', { head_characters: 7, tail_characters: 9 }).value('count')).toBe(9);
    expect([read('Text Tail').value('count'), read('Text Strip').value('count')]).toEqual([100, undefined]);
  });

  it('has a replacement in the form of the component', () => {
    const replaced = (text: string, use_regex = true) =>
      read('Text Replace', { use_regex, replacement_text: text }).value('replacement_text');
    expect([replaced('\\1-\\g<2>-\\g<name>-$5'), replaced('\\1', false)]).toEqual(['$1-$2-$<name>-$$5', '\\1']);
  });

  it.each([
    ['Word Count', 'TextStatistics', 1],
    ['Text Extract', 'RegexExtractor', 1],
    ['Text Join', 'CombineText', 0],
  ])('%s is the component %s', (given, type, warnings) => {
    const imported = read(given);
    expect([imported.counterpart.type, imported.warnings.length]).toEqual([type, warnings]);
  });

  it('joins texts by lines, and says what it cannot trim', () => {
    expect(read('Text Join').value('delimiter')).toBe('\n');
    expect(read('Text Strip', { strip_characters: '*' }).warnings[0]).toContain('it trims spaces');
  });

  it('that is unknown keeps its name, and none stays open', () => {
    const unknown = read('New One');
    expect([unknown.made.type, unknown.made.displayName]).toEqual(['TextOperations (New One)', 'New One']);
    const none = read('');
    expect([none.made.type, none.value('operation')]).toEqual(['TextOperations', null]);
  });
});

it.each([
  ['Word Count', { type: 'TextStatistics' }],
  [
    'Text Extract',
    {
      type: 'RegexExtractor',
      fields: { text_input: 'input_text', extract_pattern: 'pattern' },
      outputs: { message: 'text' },
    },
  ],
  [
    'Text Join',
    {
      type: 'CombineText',
      fields: { text_input: 'text1', text_input_2: 'text2' },
      outputs: { message: 'combined_text', text: 'combined_text' },
    },
  ],
  ['Text Replace', {}],
  ['New One', {}],
])('%s has the names %j', (given, counterpart) => {
  expect(read(given).counterpart).toEqual(counterpart);
});

it('warns of what is different, with what to do', () => {
  expect(read('Word Count').findings).toEqual([
    {
      severity: 'warning',
      code: 'wrong_value',
      node: 'T-1',
      message: 'T-1: the counts have other names here.',
      fix: 'Use the names words, characters, lines and paragraphs behind it.',
    },
  ]);
  expect(read('Text Extract').findings).toMatchObject([
    { message: 'T-1: it gives all matches, also where the export limits them.', fix: 'Check what uses them.' },
  ]);
  expect(read('Text Strip', { strip_characters: '*' }).findings).toMatchObject([
    {
      message: 'T-1: it trims spaces, and not the characters of the export.',
      fix: 'Use Replace with a regular expression.',
    },
  ]);
  for (const values of [{}, { strip_characters: '' }, { strip_characters: 7 }])
    expect(read('Text Strip', values).findings).toEqual([]);
  expect(read('Text Replace', { strip_characters: '*' }).findings).toEqual([]);
});

it('keeps the other values, and adds only what the operation needs', () => {
  expect(read('Text Strip', { other: 1 }).made.fields).toEqual({
    operation: { value: 'Trim', isSecret: false, isVariable: false },
    other: { value: 1 },
  });
  expect(read('Word Count').made.fields).toEqual({ operation: { value: 'Word Count' } });
  expect([read('Case Conversion', { case_type: 'odd' }).made.type, read(null).value('operation')]).toEqual([
    'TextOperations (Case Conversion)',
    null,
  ]);
  expect([read([[]]).value('operation'), read({ name: 7 }).value('operation')]).toEqual([null, null]);
  expect(read('x'.repeat(101)).made.type).toBe(`TextOperations (${'x'.repeat(100)})`);
  expect(TEXT_OPERATIONS).toBe('TextOperations');
});
