import { describe, expect, it } from 'vitest';
import { runNode } from '../testing.ts';

const PEOPLE = [
  { name: 'Ada', city: 'London', age: 36 },
  { name: 'Bob', city: 'Paris', age: '9' },
  { name: 'Cem', city: 'London', age: null },
];

describe('a cancelled run', () => {
  it.each([
    ['JSONQuery', 'dataframe', 'data'],
    ['AggregateRows', 'output', 'df'],
    ['MergeData', 'merged_data', 'data_inputs'],
    ['RegexExtractor', 'data', 'input_text'],
    ['Rerank', 'dataframe', 'df'],
  ])('gives nothing from %s', async (type, output, input) => {
    const abort = new AbortController();
    const config = { pattern: 'x', query: 'x' };
    const own = type === 'RegexExtractor' ? { pattern: config.pattern } : type === 'Rerank' ? { query: 'x' } : {};
    const value = input === 'input_text' ? 'x' : PEOPLE;
    const node = { type, output, input, value, config: own };
    const onEvent = ({ kind }: { readonly kind: string }) => {
      if (kind === 'node_started') abort.abort();
    };
    const ran = await runNode(node, { signal: abort.signal, onEvent });
    expect([ran.status, ran.value]).toEqual(['cancelled', undefined]);
  });
});
