import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec, type Json } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { draftSpec } from './draft-spec.ts';

const registry = builtinRegistry();

/** The steps between the source and the result of the flow for a request, and what it leaves out. */
function drafted(request: string) {
  const draft = draftSpec(request, registry, TEMPLATES);
  const built = buildFromSpec(draft?.spec ?? '', registry);
  const nodes = 'error' in built ? [] : built.flow.nodes;
  return { steps: nodes.slice(1).map(({ type, values }) => [type, values]), missing: draft?.missing };
}

const kept = (search_pattern: string, more: Record<string, Json> = {}) => [
  'TextOperations',
  { operation: 'Keep lines', search_pattern, ...more },
];
const anyCase = { ignore_case: true };
const shown = (gap: string) => ['ParserComponent', { pattern: gap }];
const linesCounted = [['TextStatistics', {}], shown('{lines}')];
const rowsCounted = [
  ['AggregateRows', { aggregations: [{ column_name: '', operation: 'count', name: 'rows' }] }],
  shown('{rows}'),
];
const end = ['ChatOutput', {}];

describe('the flow for a count or a search', () => {
  it.each([
    ['count how many errors are in server.log', [kept('error', anyCase), ...linesCounted, end]],
    ['How many warnings are there in app.log?', [kept('warn', anyCase), ...linesCounted, end]],
    ['count the lines of server.log that contain "error"', [kept('error'), ...linesCounted, end]],
    ['read server.log, keep the lines with FATAL and count them', [kept('FATAL'), ...linesCounted, end]],
    ['build a flow that shows the errors in server.log', [kept('error', anyCase), end]],
    ['search for timeout in server.log', [kept('timeout', anyCase), end]],
    ['find the word TODO in notes.md', [kept('TODO'), end]],
    ['count the lines of article.txt', [...linesCounted, end]],
    ['count the characters of article.txt', [['TextStatistics', {}], shown('{characters}'), end]],
    ['how many rows are in orders.csv?', [...rowsCounted, end]],
    ['read orders.csv and count its rows', [...rowsCounted, end]],
    ['build a flow that reads orders.csv and counts all its records', [...rowsCounted, end]],
    ['read orders.csv and count the rows in it', [...rowsCounted, end]],
    [
      'count the rows of orders.csv where amount is greater than 10',
      [['FilterRows', { column_name: 'amount', operator: 'greater than', filter_value: '10' }], ...rowsCounted, end],
    ],
    [
      'count the errors in server.log and show "N lines with errors"',
      [kept('error', anyCase), ['TextStatistics', {}], shown('{lines} lines with errors'), end],
    ],
    [
      'count the errors in server.log and save the count to errors.txt',
      [kept('error', anyCase), ...linesCounted, end, ['SaveToFile', { file_name: 'errors.txt' }]],
    ],
  ])('has the steps of: %s', (request, steps) => {
    expect(drafted(request)).toEqual({ steps, missing: [] });
  });

  it.each([
    'count how many different errors are in server.log',
    'count the number of 404 errors in access.log',
    'count the critical errors in app.log',
    'count the errors per hour in app.log',
    'count the errors in people.json',
    'count the sentences in article.txt',
    'count the names in names.txt',
    'count the errors in server.log and show "N errors"',
    'how many columns does orders.csv have?',
  ])('is not built where a word may ask for something else: %s', (request) => {
    expect(drafted(request)).toEqual({ steps: [], missing: undefined });
  });

  it('counts the first kind of lines only, and says that the second is missing', () => {
    expect(drafted('how many errors and warnings are in server.log').missing).toEqual(['warnings are in server.log']);
  });
});

describe('a template', () => {
  it.each([
    ['build a flow that lists all markdown files', ['Glob', { pattern: '**/*.md' }]],
    ['build a flow that lists all files', ['Glob', {}]],
    ['build a flow that finds all md files', ['Glob', { pattern: '**/*.md' }]],
    ['sort orders.csv by amount descending and save it to sorted.csv', ['ReadData', { path: 'orders.csv' }]],
  ])('is not built for another request that shares its words: %s', (request, first) => {
    const built = buildFromSpec(draftSpec(request, registry, TEMPLATES)?.spec ?? '', registry);
    const nodes = 'error' in built ? [] : built.flow.nodes;
    expect(nodes[0]).toMatchObject({ type: first[0], values: first[1] });
    expect(nodes.map(({ type }) => type).filter((type) => /Write|Aggregate|Vector/.test(type))).toEqual([]);
  });

  it.each(['sort names.txt', 'select the name of each person in people.json'])(
    'or component is not built where it does something else: %s',
    (request) => {
      expect(draftSpec(request, registry, TEMPLATES)).toBeUndefined();
    },
  );
});
