import { Component, ComponentError, textScores, toRows, toText } from './component.ts';

/** The words of each row are compared; more rows would hold other requests for long. */
const MAX_ROWS = 5_000;
const MAX_CHARACTERS = 2_000_000;

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
    if (rows.length > MAX_ROWS) throw tooMuch(`${rows.length} rows`, `${MAX_ROWS} rows`);
    const texts = rows.map((row) => toText(row[key] ?? row));
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    if (characters > MAX_CHARACTERS) throw tooMuch(`${characters} characters`, `${MAX_CHARACTERS} characters`);
    const scores = textScores(toText(this.query), texts);
    const scored = rows.map((row, at) => ({ ...row, rerank_score: scores[at] as number }));
    return { dataframe: scored.sort((a, b) => b.rerank_score - a.rerank_score).slice(0, Number(this.top_n)) };
  }
}

const tooMuch = (given: string, most: string) =>
  new ComponentError(`Rerank got ${given} and takes at most ${most}.`, 'Search or filter the rows first.');
