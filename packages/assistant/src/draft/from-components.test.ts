import { builtinRegistry } from '@croft/components';
import { createRegistry, type Descriptor } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { fromComponents, isMiddle, stepFor } from './from-components.ts';
import { readRequest } from './request-parts.ts';
import { descriptorOf } from './testing.ts';

const registry = builtinRegistry();
const without = (...types: string[]) =>
  createRegistry(registry.entries.filter(({ descriptor }) => !types.includes(descriptor.type)));
const made = (request: string, among = registry) => fromComponents(readRequest(request), among);
/** The components of a flow, and its values without their nodes. */
const parts = (request: string, among = registry) => {
  const spec = made(request, among)?.spec;
  return [
    spec?.nodes.map(({ type }) => type).join(' '),
    Object.fromEntries(spec?.config.map(({ field, value }) => [field, value]) ?? []),
  ];
};

describe('a flow of the components that a request names', () => {
  it('has their names, and the clauses that a rule carries out', () => {
    expect(made('count the words of notes.md')).toEqual({
      spec: {
        name: 'Text statistics: notes.md',
        nodes: [
          { id: 'N1', type: 'File' },
          { id: 'N2', type: 'TextStatistics' },
          { id: 'N3', type: 'ChatOutput' },
        ],
        edges: [
          { from: { node: 'N1', port: 'message' }, to: { node: 'N2', port: 'text_input' } },
          { from: { node: 'N2', port: 'data' }, to: { node: 'N3', port: 'input_value' } },
        ],
        config: [{ node: 'N1', field: 'path', value: 'notes.md' }],
      },
      from: 'Read file, Text statistics, Chat output',
      hasStep: true,
      read: [],
    });
    expect(made('make it upper case')).toMatchObject({
      spec: { name: 'Chat input, Upper case, Chat output' },
      read: ['make it upper case'],
    });
    expect(made('keep the lines with TODO of notes.md')?.spec.name).toBe('Keep lines “TODO”: notes.md');
  });

  it.each([
    [
      'read orders.csv, sort the rows by amount and keep the first three',
      'ReadData SortRows ChatOutput',
      { path: 'orders.csv', column_name: 'amount', limit: 3 },
    ],
    [
      'read orders.csv and keep the rows where amount is more than 5',
      'ReadData FilterRows ChatOutput',
      { path: 'orders.csv', column_name: 'amount', operator: 'greater than', filter_value: '5' },
    ],
    [
      'read https://example.com/a and count its words',
      'URLComponent TextStatistics ChatOutput',
      { urls: 'https://example.com/a' },
    ],
    ['read notes.md', 'File ChatOutput', { path: 'notes.md' }],
    ['list my csv files', 'Glob ChatOutput', { pattern: '**/*.csv' }],
    ['list all files', 'Glob ChatOutput', {}],
    // Steps without values for rows, groups or records carry out nothing.
    ['group orders.csv by name', 'ReadData ChatOutput', { path: 'orders.csv' }],
    // No more than four steps.
    [
      'keep the lines with TODO of notes.md, make it upper case, trim it, make it lower case and count the words',
      'File TextOperations TextOperations TextOperations TextOperations ChatOutput',
      expect.anything(),
    ],
    // A decision about a write comes after the other steps.
    [
      'read notes.md, ask me before it writes out.txt and make it upper case',
      'File TextOperations HumanApproval ChatOutput',
      expect.anything(),
    ],
  ])('is made for: %s', (request, types, values) => expect(parts(request)).toEqual([types, values]));

  it('names a component once, unless each clause is carried out word by word', () => {
    expect(parts('sort the rows of orders.csv by amount and sort them by name')[0]).toBe(
      'ReadData SortRows ChatOutput',
    );
    expect(parts('make it upper case and trim it')[0]).toBe('ChatInput TextOperations TextOperations ChatOutput');
  });

  it('is not made without a step or a source, for rows of a text file, or without its ends', () => {
    for (const request of [
      'paint it',
      'save it to out.txt',
      'sort notes.md by name',
      'read orders.csv and show "{name}"',
    ])
      expect(made(request)).toBeUndefined();
    for (const type of ['ChatInput', 'ChatOutput'])
      expect(made('count the words of notes.md', without(type))).toBeUndefined();
  });

  it('ends with the gaps of a pattern', () => {
    expect(parts('count the words of notes.md and show "{words} words"')).toEqual([
      'File TextStatistics ParserComponent ChatOutput',
      { path: 'notes.md', pattern: '{words} words' },
    ]);
    expect(parts('count the words of notes.md and show "{words} words"', without('ParserComponent'))[0]).toBe(
      'File TextStatistics ChatOutput',
    );
    expect(parts('list all files and show "{path}"')[0]).toBeUndefined();
  });
});

describe('the component of a step', () => {
  const step = (request: string, among = registry) => {
    const found = stepFor(readRequest(request), among);
    return found && [found.descriptor.type, found.input.name, found.config, found.read];
  };

  it('is that of the first clause, with its values', () => {
    expect(step('sort by name')).toEqual(['SortRows', 'df', { column_name: 'name' }, []]);
    expect(step('make it upper case and trim it')).toEqual([
      'TextOperations',
      'text_input',
      { operation: 'Upper case' },
      ['make it upper case'],
    ]);
    expect(step('paint it')).toBeUndefined();
  });

  it('writes the file of the request', () => {
    expect(step('sort by name and save it to out.txt')).toEqual(['SaveToFile', 'input', { file_name: 'out.txt' }, []]);
    expect(step('save it to out.txt', without('SaveToFile'))).toBeUndefined();
  });
});

const component = (more: Partial<Descriptor>) => descriptorOf('Clean', { label: 'Cleaner', ...more });

it.each<[string, Partial<Descriptor>, boolean]>([
  ['gives a value', {}, true],
  ['reads the network', { effects: ['network-read'] }, true],
  ['has a boundary', { boundary: 'input' as never }, false],
  ['controls others', { control: 'flow' as never }, false],
  ['is legacy', { legacy: true }, false],
  ['gives nothing', { outputs: [] }, false],
  ['is about files', { category: 'files' }, false],
  ['is about data', { category: 'data' }, false],
  ['reads a database', { effects: ['workspace-read', 'database-read' as never] }, false],
])('a component can be in the middle of a flow: it %s', (_, more, expected) =>
  expect(isMiddle(component(more))).toBe(expected),
);
