import { Component, textScores, toRows, toText } from './component.ts';

/** Rows in the order in which they fit a query. */
export class Rerank extends Component {
  label = 'Rerank';
  description = 'Orders rows by how well their text fits a query, and keeps the best. Needs no model.';
  icon = 'list-ordered';
  inputs = [
    { name: 'query', label: 'Query', kind: 'text', accepts: ['Message'], required: true },
    { name: 'df', label: 'Rows', kind: 'handle', accepts: ['Table', 'Data'], list: true, required: true },
    {
      name: 'text_key',
      label: 'Column with the text',
      kind: 'text',
      default: 'text',
      variables: false,
      advanced: true,
      accepts: [],
    },
    { name: 'top_n', label: 'Rows to keep', kind: 'integer', default: 5, min: 1, max: 10000 },
  ];
  outputs = [{ name: 'dataframe', label: 'Rows', types: ['Table'], help: 'the rows with rerank_score' }];
  query: unknown;
  df: unknown;
  text_key: unknown;
  top_n: unknown;

  run() {
    const key = String(this.text_key);
    const rows = toRows(this.df);
    const scores = textScores(
      toText(this.query),
      rows.map((row) => toText(row[key] ?? row)),
    );
    const scored = rows.map((row, at) => ({ ...row, rerank_score: scores[at] as number }));
    return { dataframe: scored.sort((a, b) => b.rerank_score - a.rerank_score).slice(0, Number(this.top_n)) };
  }
}
