import { builtinRegistry } from '@croft/components';
import { describe, expect, it } from 'vitest';
import type { FlowTemplate } from '../turn.ts';
import { fromTemplates } from './from-template.ts';
import { readRequest } from './request-parts.ts';

const registry = builtinRegistry();
const chain = (nodes: string, edges: string, config: string, name = '') =>
  `${name && `name: ${name}\n`}nodes:\n  ${nodes.split(', ').join('\n  ')}\nedges:\n  ${edges.split(', ').join('\n  ')}\n${config && `config:\n  ${config.split(', ').join('\n  ')}\n`}`;
const template = (name: string, description: string, spec: string, more: Partial<FlowTemplate> = {}): FlowTemplate => ({
  name,
  description,
  spec,
  ...more,
});

const COUNT = template(
  'word-count',
  'Counts the words of a message.',
  chain(
    'I: ChatInput, S: TextStatistics, O: ChatOutput',
    'I.message -> S.text_input, S.data -> O.input_value',
    '',
    'Words',
  ),
  { input: 'one two' },
);
const SORT = template(
  'sort-orders',
  'Sorts the rows of a table.',
  chain(
    'R: ReadData, S: SortRows, O: ChatOutput',
    'R.dataframe -> S.df, S.output -> O.input_value',
    'R.path: orders.csv, S.column_name: amount',
  ),
  { files: { 'orders.csv': 'a\n1\n' } },
);
const FIND = template(
  'find-in-files',
  'Finds a word in all files.',
  chain('G: Grep, O: ChatOutput', 'G.dataframe -> O.input_value', 'G.pattern: TODO'),
);
const FETCH = template(
  'page-text',
  'Reads a web page.',
  chain('U: URLComponent, O: ChatOutput', 'U.raw_results -> O.input_value', 'U.urls: https://example.com'),
);
const ADDRESS = template(
  'page-of-message',
  'Reads the web page of a message.',
  chain('I: ChatInput, U: URLComponent, O: ChatOutput', 'I.message -> U.urls, U.raw_results -> O.input_value', ''),
);
const WRITE = template(
  'note-keeper',
  'Stores notes.',
  chain(
    'I: ChatInput, W: SaveToFile, O: ChatOutput',
    'I.message -> W.input, I.message -> O.input_value',
    'W.file_name: note.txt',
  ),
);
const DAILY = template('daily', 'Counts words on a schedule.', COUNT.spec);
const ALL = [COUNT, SORT, FIND, FETCH, ADDRESS, WRITE];
const made = (request: string, templates: readonly FlowTemplate[] = ALL) =>
  fromTemplates(request, readRequest(request), registry, templates);
const from = (request: string, templates?: readonly FlowTemplate[]) =>
  made(request, templates).map((each) => each.from.replace('template ', ''));
const values = (request: string) =>
  Object.fromEntries(made(request)[0]?.spec.config.map(({ node, field, value }) => [`${node}.${field}`, value]) ?? []);

describe('the templates for a request', () => {
  it('are only the one that it names', () => {
    expect(from('word-count of sort-orders')).toEqual(['word-count']);
    expect(from('chat', [{ ...COUNT, name: 'chat', description: 'Zebra' }])).toEqual(['chat']);
    expect(from('a chat about other things of mine', [{ ...COUNT, name: 'chat', description: 'Zebra' }])).toEqual([]);
  });

  it.each([
    ['count words', ['word-count']],
    ['count the words', ['word-count']],
    ['paint the walls', []],
    ['sort the rows of my table', ['sort-orders']],
    ['find the word "fix" in all files', ['find-in-files']],
    ['find the words in all files', []],
    ['find a word in all files', ['find-in-files']],
    ['find todo in all files', ['find-in-files']],
    ['store a note', ['note-keeper']],
    ['save a note', []],
    ['keep a note', ['note-keeper']],
    ['read a web page', ['page-of-message', 'page-text']],
    ['store a note in out.txt', ['note-keeper']],
  ])('have its words: %s', (request, expected) => expect(from(request)).toEqual(expected));

  it('are better where they have a schedule too', () => {
    expect(from('count words every day', [COUNT, DAILY])).toEqual(['daily', 'word-count']);
    expect(from('count words', [COUNT, DAILY])).toEqual(['word-count', 'daily']);
  });

  const OWN = template(
    'greet-everyone',
    'Greets with a fixed text.',
    chain('T: TextInput, O: ChatOutput', 'T.text -> O.input_value', 'T.input_value: Good morning'),
  );
  const OWN_FILE = template(
    'page-saver',
    'Saves the page of a message as a file.',
    chain('I: ChatInput, W: SaveToFile', 'I.message -> W.input, I.message -> W.file_name', ''),
  );

  it.each([
    ['greet with a fixed text', [OWN], ['greet-everyone']],
    ['greet a message with a fixed text', [OWN], []],
    ['greet https://example.org with a fixed text', [OWN], []],
    ['greet everyone with a fixed text', [OWN], ['greet-everyone']],
    ['save the page of a message', [OWN_FILE], ['page-saver']],
    ['fetch a page', [FETCH], []],
    ['text of a page', [FETCH], ['page-text']],
    ['page', [FETCH], []],
  ])('fit what it brings and asks for: %s', (request, templates, expected) => {
    expect(from(request, templates)).toEqual(expected);
  });

  it('do not match a request with a pattern of its own', () => {
    expect(from('word-count "{words} words"')).toEqual([]);
  });

  it('come with what they can be tried with', () => {
    expect(made('word-count')).toEqual([
      {
        spec: expect.objectContaining({ name: 'Words', config: [] }),
        from: 'template word-count',
        about: 'word count Counts the words of a message.',
        input: 'one two',
        hasStep: true,
      },
    ]);
    expect(made('sort-orders')[0]).toMatchObject({ template: 'sort-orders', input: undefined });
  });
});

describe('the values of a request', () => {
  it('take the place of the files and addresses of the template', () => {
    expect(values('sort-orders of new.csv')).toEqual({ 'R.path': 'new.csv', 'S.column_name': 'amount' });
    expect(values('sort-orders')).toEqual({ 'R.path': 'orders.csv', 'S.column_name': 'amount' });
    const globs = template(
      'two-globs',
      'Reads.',
      chain(
        'G: Grep, R: ReadData, O: ChatOutput',
        'R.data -> O.input_value',
        'G.glob: **/*.md, R.path: a.csv, G.limit: 5',
      ),
    );
    expect(made('two-globs of c.csv and b.csv', [globs])[0]?.spec.config.map(({ value }) => value)).toEqual([
      'c.csv',
      'b.csv',
      5,
    ]);
    expect(values('page-text of https://example.org/a')).toEqual({ 'U.urls': 'https://example.org/a' });
  });

  it('take the place of the one word that is looked for', () => {
    expect(values('find-in-files "fix me"')).toEqual({ 'G.pattern': 'fix me' });
    expect(values('find-in-files "fix.*"')).toEqual({ 'G.pattern': 'TODO' });
    expect(values('find-in-files "fix" "me"')).toEqual({ 'G.pattern': 'TODO' });
  });

  it('take the place of the chat input', () => {
    const [counted] = made('word-count of notes.md');
    expect(counted?.spec).toEqual({
      name: 'Words: notes.md',
      nodes: [
        { id: 'I', type: 'File' },
        { id: 'S', type: 'TextStatistics' },
        { id: 'O', type: 'ChatOutput' },
      ],
      edges: [
        { from: { node: 'I', port: 'message' }, to: { node: 'S', port: 'text_input' } },
        { from: { node: 'S', port: 'data' }, to: { node: 'O', port: 'input_value' } },
      ],
      config: [{ node: 'I', field: 'path', value: 'notes.md' }],
    });
    const own = template(
      'own-values',
      'Counts.',
      chain(
        'I: ChatInput, S: TextStatistics, O: ChatOutput',
        'I.message -> S.text_input, S.data -> O.input_value',
        'I.sender: Me, O.sender: You',
      ),
    );
    expect(made('own-values of https://example.org', [own])[0]?.spec).toMatchObject({
      name: 'Flow: https://example.org',
      nodes: [{ id: 'I', type: 'URLComponent' }, {}, {}],
      edges: [{ from: { node: 'I', port: 'raw_results' } }, { from: { node: 'S' } }],
      config: [
        { node: 'O', field: 'sender', value: 'You' },
        { node: 'I', field: 'urls', value: 'https://example.org' },
      ],
    });
    expect(made('word-count of https://example.org')[0]?.spec).toMatchObject({
      name: 'Words: https://example.org',
      config: [{ node: 'I', field: 'urls', value: 'https://example.org' }],
    });
  });

  it('go into the fields that read an address', () => {
    const page = template(
      'page-of-message',
      'Reads the web page of a message.',
      chain(
        'I: ChatInput, U: URLComponent, O: ChatOutput',
        'I.message -> U.urls, U.raw_results -> O.input_value',
        'I.sender: Me, U.timeout: 5',
      ),
    );
    expect(made('page-of-message of https://example.org', [page])[0]?.spec).toEqual({
      name: 'Flow: https://example.org',
      nodes: [
        { id: 'U', type: 'URLComponent' },
        { id: 'O', type: 'ChatOutput' },
      ],
      edges: [{ from: { node: 'U', port: 'raw_results' }, to: { node: 'O', port: 'input_value' } }],
      config: [
        { node: 'U', field: 'timeout', value: 5 },
        { node: 'U', field: 'urls', value: 'https://example.org' },
      ],
    });
    expect(made('page-of-message', [page])[0]?.spec.nodes).toHaveLength(3);
  });

  it('leave a flow with two chat inputs as it is', () => {
    const two = chain(
      'I: ChatInput, J: ChatInput, O: ChatOutput',
      'I.message -> O.input_value, J.message -> O.input_value',
      '',
    );
    expect(made('two-inputs of notes.md', [template('two-inputs', '', two)])[0]?.spec.nodes[0]?.type).toBe('ChatInput');
  });
});
