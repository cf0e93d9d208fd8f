// Words of requests to croft/offline that may name a column, or refer to something else.
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { draftSpec } from './draft/draft-spec.ts';
import { memoryCanvas, offlineTurn } from './testing.ts';

const registry = builtinRegistry();

/** The columns that the steps of a drafted flow use, the files that it writes, and what it leaves out. */
function drafted(request: string) {
  const draft = draftSpec(`build a flow that reads orders.csv, ${request}`, registry, TEMPLATES);
  const built = buildFromSpec(draft?.spec ?? '', registry);
  const nodes = 'error' in built ? [] : built.flow.nodes;
  const valuesOf = (field: string) =>
    nodes.flatMap(({ values }) => (values[field] === undefined ? [] : [values[field]]));
  return { columns: valuesOf('column_name'), files: valuesOf('file_name'), missing: draft?.missing };
}

describe('a word that refers to something else is not a column:', () => {
  it.each([
    'keeps the rows where those are over 100',
    'keeps the rows where they are over 100',
    'keeps the rows where it is over 100',
    "keeps the rows where it's over 100",
    'keeps the rows that are over 100',
    'keeps the rows over 100',
    'keeps the rows where the total is over 100',
    'sorts by the sum',
    'sorts them by the average',
    'sorts by them',
    'shows the average of them',
    'counts the rows where those are over 100',
    'counts the rows where the total is over 100',
  ])('%s', (part) => {
    expect(drafted(`${part}`)).toMatchObject({ columns: [], missing: [part] });
  });

  it('leaves out the file that would have other rows', () => {
    const { files, missing } = drafted('keeps the rows where those are over 100 and saves them to x.csv');
    expect([files, missing]).toEqual([[], ['keeps the rows where those are over 100', 'saves them to x.csv']]);
  });
});

describe('a name stays a column:', () => {
  it.each([
    ['sorts by total', ['total']],
    ['sorts by the "sum"', ['sum']],
    ['sorts by the column total', ['total']],
    ['sorts by the total column', ['total']],
    ['sorts by "unit price"', ['unit price']],
    ['keeps rows where total is over 100 and sorts by the total', ['total', 'total']],
    ['keeps the rows where "total" is over 100', ['total']],
    ['keeps the rows where "those" is over 100', ['those']],
    ['keeps the rows where "unit price" is over 100', ['unit price']],
    ['keeps the rows where value is over 100', ['value']],
  ])('%s', (part, columns) => {
    expect(drafted(part)).toMatchObject({ columns, missing: [] });
  });
});

describe('after rows are summarised, the words for a summary mean its column:', () => {
  it.each([
    ['sums the amount per region, sorts by the sum', 'sum of amount'],
    ['sums the amount per region, sorts by the total, highest first', 'sum of amount'],
    ['sums the amount per region, sorts by amount', 'sum of amount'],
    ['sums the amount per region, sorts by region', 'region'],
    ['sums the amount per region, keeps the rows where the total is over 100', 'sum of amount'],
    ['sums the amount per region, keeps the rows where "total" is over 100', 'total'],
    ['shows the average price per city, sorts by the average', 'average of price'],
    ['counts the orders per region, sorts by the count', 'orders'],
  ])('%s', (part, column) => {
    expect(drafted(part)).toMatchObject({ columns: [column], missing: [] });
  });

  it.each([
    ['sums the amount per region, sorts by price', 'sorts by price'],
    ['sums the amount per region, sorts by the average', 'sorts by the average'],
    ['sums the amount per region, keeps the rows where those are over 100', 'keeps the rows where those are over 100'],
  ])('a column that they do not have is left out: %s', (part, missing) => {
    expect(drafted(part)).toMatchObject({ columns: [], missing: [missing] });
  });
});

describe('on a canvas', () => {
  const send = async (message: string) => {
    const built = buildFromSpec(
      'nodes:\n  R: ReadData\n  A: AggregateRows\n  O: ChatOutput\nedges:\n  R.dataframe -> A.df\n  A.output -> O.input_value\nconfig:\n  R.path: orders.csv\n  A.group_by: region\n  A.aggregations: [{"column_name":"amount","operation":"sum","name":"total"}]\n',
      registry,
    );
    if ('error' in built) throw new Error(built.error);
    const canvas = memoryCanvas(built.flow);
    const { end } = await offlineTurn(registry, { message, canvas, templates: TEMPLATES });
    return { outcome: end.outcome, columns: canvas.flow.nodes.flatMap(({ values }) => values['column_name'] ?? []) };
  };

  it('a word of a summary is the column that a component gives this name', async () => {
    expect(await send('keep the rows where the total is over 100')).toEqual({ outcome: 'done', columns: ['total'] });
  });

  it.each(['keep the rows where the average is over 100', 'keep the rows where those are over 100'])(
    'another one is not a column: %s',
    async (message) => {
      expect(await send(message)).toEqual({ outcome: 'not_done', columns: [] });
    },
  );
});
