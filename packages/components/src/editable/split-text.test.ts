import { describe, expect, it, vi } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { SplitText, splitInto } from './split-text.ts';

describe('chunks', () => {
  it('end at the preferred separator that is behind the half, else at their size', () => {
    expect(splitInto('aa\n\nbbbb cc', 6, 0, ['\n\n', ' '])).toEqual(['aa\n\nbb', 'bb cc']);
    expect(splitInto('aaaa\n\nbb cc', 8, 0, ['\n\n', ' '])).toEqual(['aaaa\n\nbb', 'cc']);
    expect(splitInto('aaaaa\n\nbb cc', 9, 0, ['\n\n', ' '])).toEqual(['aaaaa', 'bb cc']);
    expect(splitInto('aaaabbbbcc', 4, 0, [''])).toEqual(['aaaa', 'bbbb', 'cc']);
    expect(splitInto('abc. def. gh', 9, 0, ['. '])).toEqual(['abc. def.', 'gh']);
    expect(splitInto('aaaa bbb', 8, 0, [' '])).toEqual(['aaaa bbb']);
    expect(splitInto('aaaaa bb', 8, 0, [' '])).toEqual(['aaaaa bb']);
    expect(splitInto('', 4, 0, [' '])).toEqual([]);
  });

  it('begin with the end of the one before', () => {
    expect(splitInto('abcdefgh', 4, 2, [])).toEqual(['abcd', 'cdef', 'efgh']);
    expect(splitInto('abc', 1, 1, [])).toEqual(['a', 'b', 'c']);
  });

  it('leave out those of spaces, and are counted before they are cut', () => {
    const onChunk = vi.fn();
    expect(splitInto('aa    bb', 2, 0, [], onChunk)).toEqual(['aa', 'bb']);
    expect(onChunk).toHaveBeenCalledTimes(4);
  });
});

describe('the component', () => {
  const run = (data_inputs: unknown, more: Partial<SplitText> = {}) =>
    Object.assign(new SplitText(), {
      data_inputs,
      chunk_size: 4,
      chunk_overlap: 0,
      separator: '',
      text_key: 'text',
      ...more,
    }).run().dataframe;

  it('keeps the other columns of a row, and splits the text of its field or the whole row', () => {
    expect(run([{ text: 'aaaabb', at: 1 }])).toEqual([
      { text: 'aaaa', at: 1 },
      { text: 'bb', at: 1 },
    ]);
    expect(run([{ body: 'aaaabb' }], { text_key: 'body' })).toEqual([{ body: 'aaaa' }, { body: 'bb' }]);
    expect(run([{ a: 1 }], { chunk_size: 100 })).toEqual([{ a: 1, text: '{"a":1}' }]);
  });

  it('cuts at its own separator first', () => {
    expect(run('aaa;b cc', { separator: ';', chunk_size: 5 }).map(({ text }) => text)).toEqual(['aaa;', 'b cc']);
    expect(run('aaa;b cc', { chunk_size: 5 }).map(({ text }) => text)).toEqual(['aaa;b', 'cc']);
  });

  it('refuses an overlap above half of a chunk, and more than two million values', () => {
    expect(run('aaaabb', { chunk_overlap: 2 })).toHaveLength(2);
    expect(() => run('a', { chunk_overlap: 3 })).toThrow('The overlap (3) must be at most half of a chunk (4).');
    const columns = Object.fromEntries(Array.from({ length: 1_999 }, (_, at) => [`c${at}`, at]));
    expect(run([{ ...columns, text: 'a'.repeat(1_000) }], { chunk_size: 1 })).toHaveLength(1_000);
    expect(() => run([{ ...columns, text: 'a'.repeat(1_001) }], { chunk_size: 1 })).toThrow(
      'The chunks have more than 2000000 values.',
    );
  });
});

it('has ports that stored flows name', () => {
  expect(portsOf(new SplitText())).toEqual([
    'data_inputs: handle Message Data Table list required',
    'chunk_size: integer default=1000 max=1000000 min=1',
    'chunk_overlap: integer default=200 max=1000000 min=0',
    'separator: text Message default="" portWhenConnected variables=false',
    'text_key: text advanced default="text" variables=false',
    'dataframe: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new SplitText())).toEqual([
    'Split text (scissors): Cuts texts into chunks, at paragraphs, lines or words where it can.',
    '',
    'data_inputs: Texts',
    'chunk_size: Characters in a chunk',
    'chunk_overlap: Characters shared with the chunk before',
    'separator: Separator | Cut here first. Empty: paragraphs, lines, sentences, words.',
    'text_key: Field with the text',
    'dataframe: Chunks',
  ]);
});
