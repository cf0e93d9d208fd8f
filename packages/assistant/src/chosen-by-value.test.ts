// Requests to croft/offline for rows with one of several values, and for the rows with the highest ones.
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { draftSpec } from './draft/draft-spec.ts';

const registry = builtinRegistry();

/** The values of the steps for rows, the files that the flow writes, and what it leaves out. */
function drafted(part: string) {
  const draft = draftSpec(`build a flow that reads orders.csv, ${part}`, registry, TEMPLATES);
  const built = buildFromSpec(draft?.spec ?? '', registry);
  const nodes = 'error' in built ? [] : built.flow.nodes;
  const valuesOf = (...types: string[]) => nodes.filter(({ type }) => types.includes(type)).map(({ values }) => values);
  return {
    steps: valuesOf('FilterRows', 'SortRows'),
    files: valuesOf('SaveToFile').map(({ file_name }) => file_name),
    missing: draft?.missing,
  };
}

describe('rows with a value are kept by one filter:', () => {
  it.each([
    ['keeps the rows where city is Oslo or Rome', 'is one of', 'Oslo, Rome'],
    ['keeps the rows where city is Oslo, Rome or New York', 'is one of', 'Oslo, Rome, New York'],
    ['keeps only rows where the city is Oslo, Rome, or Bergen', 'is one of', 'Oslo, Rome, Bergen'],
    ['keeps the rows where city is either Oslo or Rome', 'is one of', 'Oslo, Rome'],
    ['keeps the rows where city is Oslo or city is Rome', 'is one of', 'Oslo, Rome'],
    ['keeps the rows where city equals oslo or rome', 'is one of', 'oslo, rome'],
    ['keeps the rows where "city" is "oslo" or "rome"', 'is one of', 'oslo, rome'],
    ['keeps the rows where city is one of Oslo or Rome', 'is one of', 'Oslo, Rome'],
    ['removes the rows where city is Oslo or Rome', 'is not one of', 'Oslo, Rome'],
    ['keeps the rows where city is Oslo', 'equals', 'Oslo'],
    ['removes the rows where city is "oslo"', 'not equals', 'oslo'],
  ])('%s', (part, operator, value) => {
    const { steps, files, missing } = drafted(`${part}, and saves them to x.csv`);
    expect(steps).toEqual([{ column_name: 'city', operator, filter_value: value }]);
    expect([files, missing]).toEqual([['x.csv'], []]);
  });

  it.each(['counts the rows where city is Oslo or Rome', 'shows how many rows there are where city is Oslo or Rome'])(
    'the kept rows are counted: %s',
    (part) => {
      const filter = { column_name: 'city', operator: 'is one of', filter_value: 'Oslo, Rome' };
      expect(drafted(part)).toMatchObject({ steps: [filter], missing: [] });
    },
  );

  it.each([
    'keeps the rows where city is Oslo or amount is over 100',
    'keeps the rows where city is open or closed',
    'keeps the rows where city is empty',
    'keeps the rows where city is not Oslo or Rome',
    'keeps the rows where city is Oslo or Rome in French',
    'keeps the rows where city is "a,b" or "c"',
    'keeps the rows where those are Oslo or Rome',
    'keeps the rows where amount is over 10 or 20',
  ])('other conditions with “or” are left out, and the file with them: %s', (part) => {
    const { steps, files, missing } = drafted(`${part}, and saves them to x.csv`);
    expect([steps, files]).toEqual([[], []]);
    expect(missing?.[0]).toBe(part);
  });

  it.each([
    ['keeps the rows where city is Oslo and amount is over 100', 'amount is over 100'],
    ['keeps the rows where city equals open, closed or new', 'closed or new'],
  ])('the file waits where a part of the condition is left out: %s', (part, left) => {
    const { files, missing } = drafted(`${part}, and saves them to x.csv`);
    expect([files, missing]).toEqual([[], [left, 'saves them to x.csv']]);
  });
});

describe('the rows with the highest or lowest values are the first ones in order:', () => {
  it.each([
    ['keeps the 3 rows with the highest price', false, 3],
    ['keeps the three rows with the lowest price', true, 3],
    ['shows the 5 largest rows by price', false, 5],
    ['takes the largest 5 records by price', false, 5],
    ['keeps the top 10 rows by "price"', false, 10],
    ['shows me the row with the highest price', false, 1],
    ['keeps only the two smallest rows by the price', true, 2],
  ])('%s', (part, ascending, limit) => {
    const { steps, missing } = drafted(part);
    expect([steps, missing]).toEqual([[{ column_name: 'price', ascending, limit }], []]);
  });

  it('are those of the file where the request begins with them', () => {
    const draft = draftSpec('show the 3 largest rows by price of orders.csv', registry, TEMPLATES);
    expect(draft).toMatchObject({ missing: [], spec: expect.stringContaining('column_name: price') });
  });

  it('take the column of a summary before', () => {
    const { steps } = drafted('sums the amount per region, keeps the 2 rows with the highest total');
    expect(steps).toEqual([{ column_name: 'sum of amount', ascending: false, limit: 2 }]);
  });

  it.each([
    'keeps the 3 rows with the highest price per city',
    'keeps the rows with the highest price',
    'keeps the 3 rows with the highest of them',
    'keeps the 3 oldest rows by age',
    'keeps the 3 customers with the highest price',
    'drops the 3 rows with the highest price',
  ])('other choices are left out: %s', (part) => {
    const { steps, files, missing } = drafted(`${part}, and saves them to x.csv`);
    expect([steps, files]).toEqual([[], []]);
    expect(missing?.[0]).toBe(part);
  });
});
