import { builtinRegistry } from '@croft/components';
import { buildFromSpec, emptyFlow } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { asksForName, callAboutFlow, callForFiles } from './about-flow.ts';

const registry = builtinRegistry();
const built = buildFromSpec(
  `name: Sorted orders
nodes:
  R: ReadData
  S: SortRows
  P: ParserComponent
  O: ChatOutput
edges:
  R.dataframe -> S.df
  S.output -> P.input_data
  P.parsed_text -> O.input_value
config:
  R.path: orders.csv
  S.column_name: amount
  S.limit: 3
  P.pattern: "{amount}"
`,
  registry,
  (_, id) => id,
);
if ('error' in built) throw new Error(built.details);
const { flow } = built;
const twice = { ...flow, nodes: [...flow.nodes, ...flow.nodes.map((node) => ({ ...node, id: `${node.id}2` }))] };
const call = (message: string, among = flow, runs = false) => callAboutFlow(message, { runs, flow: among, registry });
const configure = (component_id: string, params: object) =>
  `configure_component ${JSON.stringify({ component_id, params })}`;

it.each([
  ['what files do I have?', 'glob_search {"pattern":"**/*"}'],
  ['please list my csv files', 'glob_search {"pattern":"**/*.csv"}'],
  ['how many markdown files are in my folder', 'glob_search {"pattern":"**/*.md"}'],
  ['show all files in this workspace.', 'glob_search {"pattern":"**/*"}'],
  ['list my old files', undefined],
  ['count the files of bob', undefined],
  ['list my files and delete them', undefined],
])('asks for files: %s', (message, expected) => expect(callForFiles(message)).toBe(expected));

describe('a message that needs no step of the flow', () => {
  it.each([
    ['run this every day at 8', 'explain_schedule {"schedule":"every day at 8"}'],
    ['why did it fail?', 'explain_last_run {}'],
    ['what went wrong in the last run?', 'explain_last_run {}'],
    ['what does this flow do?', 'explain_flow {}'],
    ['tell me how it works', 'explain_flow {}'],
  ])('is answered with a flow, without one, and with a run: %s', (message, expected) => {
    expect([call(message), call(message, emptyFlow()), call(message, flow, true)]).toEqual([
      expected,
      expected,
      expected,
    ]);
  });

  it('is not a schedule where it asks for a new flow, or for no run', () => {
    expect(call('build a flow that runs every day')).toBeUndefined();
    expect(call('count the words every day')).toBeUndefined();
  });

  it('is a check, which needs a flow', () => {
    for (const message of ['check the flow for errors', 'is it valid?'])
      expect([call(message), call(message, flow, true), call(message, emptyFlow())]).toEqual([
        'validate_flow {}',
        'validate_flow {}',
        undefined,
      ]);
  });
});

it('adds a step that saves the result to the one file of the message', () => {
  const message = 'save the result to out.txt';
  expect(call(message)).toBe('add_step {"request":"save the result to out.txt"}');
  expect(call(message, flow, true)).toBe(call(message));
  for (const other of [
    'save the result to out.txt and b.txt',
    'save orders.csv to out.txt',
    'save the result to a list',
  ])
    expect(call(other)).toBeUndefined();
  expect(call(message, emptyFlow())).toBeUndefined();
});

describe('a new name', () => {
  it.each([
    ['rename the flow to "Top orders".', 'Top orders'],
    ['please call this flow Top', 'Top'],
    ['set the name of my flow to Top orders', 'Top orders'],
  ])('comes from: %s', (message, name) => {
    expect(call(message)).toBe(`rename_flow ${JSON.stringify({ name })}`);
    expect(call(message, flow, true)).toBeUndefined();
  });

  it('is not empty', () => {
    expect(call('rename the flow to ""')).toBeUndefined();
    expect(call('rename the flow to " "')).toBeUndefined();
  });

  it('is asked for by a verb before the word flow', () => {
    expect(['rename the flow', 'call my flow Top', 'the flow has a name', 'rename it'].map(asksForName)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('other values', () => {
  it.each([
    ['sort by name instead', 'S', { column_name: 'name' }],
    ['replace orders.csv with new.csv', 'R', { path: 'new.csv' }],
    ['change "orders.csv" to "new.csv".', 'R', { path: 'new.csv' }],
    ['use new.csv instead of orders.csv', 'R', { path: 'new.csv' }],
    ['set rows to keep to 5', 'S', { limit: 5 }],
    ['change the Column to name', 'S', { column_name: 'name' }],
    ['set limit to many', 'S', { limit: 'many' }],
    ['set limit to " "', 'S', { limit: ' ' }],
    ['set path to 5', 'R', { path: '5' }],
    ['set the pattern of Parser to "{name}"', 'P', { pattern: '{name}' }],
    ['set column of the S to name', 'S', { column_name: 'name' }],
  ])('are set by: %s', (message, id, params) => {
    expect(call(message)).toBe(configure(id, params));
    expect(call(message, flow, true)).toBeUndefined();
    expect(call(message, emptyFlow())).toBeUndefined();
  });

  it.each([
    ['a value that no field has', 'change none.csv to new.csv'],
    ['a long text without its component', 'set pattern to "{name}"'],
    ['a switch', 'set smallest first to false'],
    ['a file in a message about a step', 'sort other.csv by name instead'],
    ['a step without values', 'show it instead'],
    ['a step that the flow does not have', 'keep only lines without DEBUG instead'],
    ['a step without the word instead', 'sort by name'],
    ['other words', 'hello'],
  ])('are not set by %s: %s', (_, message) => expect(call(message)).toBeUndefined());

  it('are not set where several steps can be the one', () => {
    for (const message of ['sort by name instead', 'replace orders.csv with new.csv', 'set rows to keep to 5'])
      expect(call(message, twice)).toBeUndefined();
    expect(call('set column of S2 to name', twice)).toBe(configure('S2', { column_name: 'name' }));
  });
});
