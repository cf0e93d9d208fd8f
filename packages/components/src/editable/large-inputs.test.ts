import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { runNode } from '../testing.ts';
import { OPERATORS, toText } from '../values.ts';
import { ChatOutput } from './chat-output.ts';
import { MergeData } from './merge-data.ts';
import { ParserComponent } from './parser.ts';
import { SortRows } from './sort-rows.ts';
import { AggregateRows } from './aggregate-rows.ts';
import { SplitText, splitInto } from './split-text.ts';
import { TextStatistics } from './text-statistics.ts';

// Built-in components run in the process of the server: a large input must not hold the requests of others.
const repeated = (size: number) => 'a'.repeat(size);

describe('a large input', () => {
  it('is searched for a text in time in proportion to both', async () => {
    const [text, wanted] = [repeated(200_000), `${repeated(50_000)}b${repeated(50_000)}`];
    for (const name of ['contains', 'not contains'])
      await expect.poll(() => costOf(() => OPERATORS[name]?.(text, wanted)), { message: name }).toBeLessThan(50);
    expect(OPERATORS['contains']?.(`${text}b${text}`, wanted)).toBe(true);
  });

  it('is split at a long separator in time in proportion to both', async () => {
    const [text, separator] = [repeated(200_000), `${repeated(50_000)}b`];
    await expect.poll(() => costOf(() => splitInto(text, 150_000, 0, [separator]))).toBeLessThan(50);
    await expect.poll(() => costOf(() => splitInto(text.slice(0, 20_000), 1, 0, [separator]))).toBeLessThan(50);
    expect(splitInto(`${text}${separator}c`, 300_000, 0, [separator])).toHaveLength(1);
    expect(splitInto(`${text}${separator}ccc`, 250_002, 0, [separator])).toEqual([`${text}${separator}`, 'ccc']);
  });

  it('is joined up to a number of values, which is checked before the rows are made', () => {
    let reads = 0;
    const row = (name: string) =>
      Object.defineProperty(
        Object.fromEntries([['k', 1], ...Array.from({ length: 60 }, (_, at) => [name + at, at])]),
        `${name}0`,
        { enumerable: true, get: () => reads++ },
      );
    const rows = (name: string) => Array.from({ length: 500 }, () => row(name));
    const merge = Object.assign(new MergeData(), {
      operation: 'Join',
      data_inputs: rows('x'),
      join_with: rows('y'),
      join_on: 'k',
      how: 'inner',
    });
    expect(() => merge.run()).toThrow('2000000 values');
    expect(reads).toBe(0);
  });

  it('is merged with more rows than a call has arguments', () => {
    const rows = Array.from({ length: 300_000 }, (_, at) => ({ last: at, [`c${at % 3}`]: at }));
    const merge = Object.assign(new MergeData(), { operation: 'Merge', data_inputs: rows });
    expect(merge.run()).toEqual({ merged_data: [{ last: 299_999, c0: 299_997, c1: 299_998, c2: 299_999 }] });
  });

  it('is written as text once for each row that is sorted or compared', () => {
    let texts = 0;
    const rows = Array.from({ length: 100 }, (_, at) => ({
      v: { toJSON: () => `${texts++ < 0 ? '' : 'x'}${(at * 37) % 100}` },
    }));
    Object.assign(new SortRows(), { df: rows, column_name: 'v', ascending: true, limit: 1 }).run();
    expect(texts).toBe(100);
    texts = 0;
    const aggregations = [{ column_name: 'v', operation: 'max' }];
    Object.assign(new AggregateRows(), { df: rows, aggregations }).run();
    expect(texts).toBe(100);
  });

  it('is written by a pattern up to a number of characters, and no value after them is read', () => {
    let reads = 0;
    const text = repeated(1_000_000);
    const row = Object.defineProperty({}, 'text', { get: () => (reads++, text) });
    const parser = { mode: 'Parser', sep: '', if_empty: '' };
    const run = (pattern: string, count: number) =>
      Object.assign(new ParserComponent(), parser, { pattern, input_data: Array(count).fill(row) }).run();
    expect(() => run('{text}'.repeat(400), 1)).toThrow('more than 33554432 characters');
    expect(() => run('{text}', 400)).toThrow('characters');
    expect(reads).toBeLessThan(80);
  });

  it.each(['text', '{text}', '{x}'])('is written as a text up to a number of characters: %s', (template) => {
    let reads = 0;
    const text = () => (reads++, repeated(1_000_000));
    const list = Array(400).fill(Object.defineProperties({}, { text: { get: text }, x: { get: text } }));
    const answer = Object.assign(new ChatOutput(), { data_template: template, input_value: list });
    expect(() => (template === 'text' ? toText(list) : answer.run())).toThrow('more than 33554432 characters');
    expect(reads).toBeLessThan(130);
  });

  it('is split into a number of values, also where the chunks are spaces', () => {
    const columns = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`c${at}`, at]));
    const split = (text: string) =>
      Object.assign(new SplitText(), {
        data_inputs: [{ ...columns, text }],
        chunk_size: 1,
        chunk_overlap: 0,
        separator: '',
        text_key: 'text',
      }).run().dataframe;
    expect(split(repeated(1_900))).toHaveLength(1_900);
    for (const piece of ['a', ' ']) expect(() => split(piece.repeat(2_000))).toThrow('more than 2000000 values');
  });

  it('has the counts of expressions that list its words, characters and paragraphs', () => {
    const unit = fc.constantFrom(
      'a',
      'é',
      '7',
      "'",
      '’',
      '-',
      ' ',
      '\n',
      '\n \n',
      '\r\n',
      '🚀',
      '𝒳',
      '\ud83d',
      '.',
      '\u2028',
    );
    const texts = fc.array(unit, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const { data } = Object.assign(new TextStatistics(), { text_input: text }).run();
        expect(data).toEqual({
          words: (text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []).length,
          characters: [...text].length,
          lines: text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0),
          paragraphs: text.split(/\n\s*\n/).filter((part) => part.trim() !== '').length,
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it('of YAML or CSV is parsed in a thread with limits, and gives the same rows', async () => {
    const read = (format: string, text: string) =>
      runNode({ type: 'ReadData', output: 'dataframe', config: { source: 'Text', format, text } });
    const rows = Array.from({ length: 2_000 }, (_, at) => ({ a: String(at), b: 'x' }));
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    expect((await read('yaml', rows.map(({ a, b }) => `- {a: "${a}", b: ${b}}`).join('\n'))).value).toEqual(rows);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
    expect((await read('csv', `a,b\n${rows.map(({ a, b }) => `${a},${b}`).join('\n')}`)).value).toEqual(rows);
    const broken = await read('yaml', `a: [\n${'# x\n'.repeat(5_000)}`);
    expect(broken.failure?.message).toMatch(/^The text is not valid YAML: /);
  });

  it.each([
    ['5001 rows', Array.from({ length: 5_001 }, () => ({ text: 'a' })), '5000 rows'],
    ['2000001 characters', [{ text: repeated(1_000_000) }, { text: repeated(1_000_001) }], '2000000 characters'],
  ])('of Rerank is refused before its words are compared: %s', async (given, value, most) => {
    const { failure } = await runNode({
      type: 'Rerank',
      output: 'dataframe',
      input: 'df',
      value,
      config: { query: 'a' },
    });
    expect(failure?.message).toBe(`Rerank got ${given} and takes at most ${most}.`);
  });
});
