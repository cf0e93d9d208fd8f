import { describe, expect, it } from 'vitest';
import { runNode, textsOf, portsOf } from '../testing.ts';
import { bm25 } from '../knowledge/bm25.ts';
import { Rerank } from './rerank.ts';

const DOCUMENTS = [
  { text: 'The sheep graze on the hill behind the wall.', source: 'sheep.md' },
  { text: 'Invoices are due within thirty days of delivery.', source: 'billing.md' },
  { text: 'The wall around the croft is made of granite.', source: 'wall.md' },
];
const sources = (value: unknown) => (value as { source: string }[]).map(({ source }) => source);

describe('Rerank', () => {
  it('puts the best rows first and keeps as many as asked', async () => {
    const node = { type: 'Rerank', output: 'dataframe', input: 'df', value: DOCUMENTS };
    const { value } = await runNode({ ...node, config: { query: 'granite walls', top_n: 2 } });
    expect(sources(value)).toEqual(['wall.md', 'sheep.md']);
  });

  it('compares the column of the texts, else the whole row', () => {
    const run = (df: object[], text_key: string) =>
      Object.assign(new Rerank(), { df, text_key, query: 'granite', top_n: 5 }).run().dataframe;
    const rows = [{ note: 'granite', body: 'sheep' }, { body: 'wall' }];
    expect(run(rows, 'body').map(({ rerank_score }) => rerank_score)).toEqual([0, 0]);
    expect(run(rows, 'other')[0]).toMatchObject({ note: 'granite', rerank_score: expect.any(Number) as number });
    expect(run(rows, 'other')[0]?.rerank_score).toBeGreaterThan(0);
  });

  it('takes at most 5,000 rows', () => {
    const rows = Array(5_001).fill({ text: 'a' });
    expect(() => Object.assign(new Rerank(), { df: rows, text_key: 'text', query: 'a', top_n: 1 }).run()).toThrow(
      'Rerank got 5001 rows and takes at most 5000 rows.',
    );
  });

  it('scores a text without common words with 0', () => {
    expect(bm25('granite', ['sheep', 'granite wall', ''])).toEqual([0, expect.any(Number), 0]);
  });
});

it('has ports that stored flows name', () => {
  expect(portsOf(new Rerank())).toEqual([
    'query: text Message required',
    'df: handle Table Data list required',
    'text_key: text advanced default="text" variables=false',
    'top_n: integer default=5 max=10000 min=1',
    'dataframe: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new Rerank())).toEqual([
    'Rerank (list-ordered): Orders rows by how well their text fits a query, and keeps the best. Needs no model.',
    '',
    'query: Query',
    'df: Rows',
    'text_key: Column with the text',
    'top_n: Rows to keep',
    'dataframe: Rows | the rows with rerank_score',
  ]);
});
