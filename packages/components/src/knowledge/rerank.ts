import type { CroftComponent } from '../services.ts';
import { toRows, toText } from '../values.ts';
import { bm25 } from './bm25.ts';
import { embedLexically } from './lexical-embedder.ts';

/** Rows in the order in which they fit a query. */
export const rerank: CroftComponent = {
  descriptor: {
    type: 'Rerank',
    label: 'Rerank',
    description: 'Orders rows by how well their text fits a query, and keeps the best. Needs no model.',
    category: 'knowledge',
    icon: 'list-ordered',
    keywords: ['rag', 'relevance', 'bm25'],
    effects: ['none'],
    fields: [
      { name: 'query', label: 'Query', kind: 'text', accepts: ['Message'], required: true },
      { name: 'df', label: 'Rows', kind: 'handle', accepts: ['Table', 'Data'], list: true, required: true },
      {
        name: 'text_key',
        label: 'Column with the text',
        kind: 'text',
        default: 'text',
        variables: false,
        advanced: true,
      },
      { name: 'top_n', label: 'Rows to keep', kind: 'integer', default: 5, min: 1, max: 10_000 },
    ],
    outputs: [{ name: 'dataframe', label: 'Rows', types: ['Table'], help: 'the rows with rerank_score' }],
  },
  run({ inputs }) {
    const query = toText(inputs['query']);
    const key = String(inputs['text_key']);
    const rows = toRows(inputs['df']);
    const texts = rows.map((row) => toText(row[key] ?? row));
    const words = bm25(query, texts);
    const most = Math.max(...words, Number.MIN_VALUE);
    const asked = embedLexically(query);
    const scored = rows.map((row, at) => {
      const near = embedLexically(texts[at] as string).reduce(
        (sum, each, index) => sum + each * (asked[index] as number),
        0,
      );
      // Both parts lie between 0 and 1; word stems decide between rows with the same words.
      return { ...row, rerank_score: ((words[at] as number) / most + Math.max(near, 0)) / 2 };
    });
    return { dataframe: scored.sort((a, b) => b.rerank_score - a.rerank_score).slice(0, Number(inputs['top_n'])) };
  },
};
