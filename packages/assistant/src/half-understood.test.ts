// Requests to croft/offline of which a tool or a component has a few words, and that ask for something else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { makeToolset } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryCanvas, offlineTurn } from './testing.ts';
import type { Turn } from './turn.ts';

const registry = builtinRegistry();
let scratch: Scratch;
let files: Turn['files'];
beforeAll(() => {
  scratch = makeScratch(['letter.txt = the invoice', 'sales.csv = a,b', 'recipes.md = # A', 'customers.csv = a,b']);
  const workspace = openWorkspace(scratch.workspace);
  files = { tools: makeToolset('files', { acquire: () => workspace }) };
});
afterAll(() => scratch.remove());

const send = async (message: string) => {
  const { end, built } = await offlineTurn(registry, { message, files, canvas: memoryCanvas(), templates: TEMPLATES });
  return { ...end, built: built.map(({ type, values }) => [type, values] as const) };
};

it.each([
  'round the amounts in sales.csv and show them',
  'split recipes.md by heading and show each part',
  'validate that every row in customers.csv has an email',
])('says of “%s” that it is not done, and shows no file in place of it', async (message) => {
  const { outcome, left_out, result } = await send(message);
  expect([outcome, left_out.length]).toEqual(['not_done', 1]);
  expect(result).toMatch(/^I did not understand “/);
  expect(result).not.toContain('a,b');
});

it('builds a flow where a text is replaced for another file, and leaves the file as it is', async () => {
  const { outcome, built } = await send('replace "invoice" with "bill" in letter.txt, save it to bill.txt and run it');
  expect(outcome).toBe('done');
  expect(built).toEqual([
    ['File', { path: 'letter.txt' }],
    ['TextOperations', { operation: 'Replace', search_pattern: 'invoice', replacement_text: 'bill' }],
    ['ChatOutput', {}],
    ['SaveToFile', { file_name: 'bill.txt' }],
  ]);
  expect(readFileSync(join(scratch.workspace, 'letter.txt'), 'utf8')).toContain('the invoice');
});

it('changes a file itself where the request is only that', async () => {
  expect(await send('replace "the invoice" with "the bill" in letter.txt')).toMatchObject({
    outcome: 'done',
    built: [],
  });
  expect(readFileSync(join(scratch.workspace, 'letter.txt'), 'utf8')).toContain('the bill');
});

it('shows no file in place of a join by a column that is named like a tool', async () => {
  const { outcome, result } = await send('join orders.csv with sales.csv on customer_id, then run it');
  expect(outcome).toBe('not_done');
  expect(result).toMatch(/^I built nothing: .*use template join-tables/s);
});

it.each([
  ['list all csv files in my workspace and run it', { pattern: '**/*.csv' }],
  ['build a flow that lists all txt files of my folder', { pattern: '**/*.txt' }],
  ['build a flow that lists all files in my folder', {}],
])('finds the files that “%s” means', async (message, values) => {
  expect((await send(message)).built[0]).toEqual(['Glob', values]);
});

it('builds no list of all files for a kind of files that it does not know', async () => {
  expect(await send('build a flow that lists all image files')).toMatchObject({ outcome: 'not_done', built: [] });
});

it.each(['sum up the amount column of sales.csv', 'build a flow that shows the sum of the column amount of sales.csv'])(
  'adds up the column that “%s” names',
  async (message) => {
    const aggregations = [{ column_name: 'amount', operation: 'sum', name: 'sum of amount' }];
    expect((await send(`${message}, then run it`)).built[1]).toEqual(['AggregateRows', { aggregations }]);
  },
);
