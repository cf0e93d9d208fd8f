import { expect, it } from 'vitest';
import { readClause } from './clause.ts';
import { fillArguments, parametersOf } from './fill-arguments.ts';

type Properties = Readonly<Record<string, object>>;
const text = (description = '') => ({ type: 'string', description });

/** The arguments of a clause for a tool with these parameters. */
function fill(clause: string, properties: Properties, { last, tool = 'tool' }: { last?: string; tool?: string } = {}) {
  const parameters = parametersOf({ type: 'object', properties, required: Object.keys(properties) });
  return fillArguments(tool, parameters, readClause(clause), last);
}

it('reads the parameters of a schema', () => {
  expect(
    parametersOf({
      properties: { a: { type: 'integer', description: 'How many.' }, b: { enum: ['x', 1] } },
      required: ['a'],
    }),
  ).toEqual([
    { name: 'a', type: 'integer', description: 'How many.', options: [], isRequired: true },
    { name: 'b', type: 'string', description: '', options: ['x', '1'], isRequired: false },
  ]);
  expect([parametersOf(null), parametersOf({ properties: 1 })]).toEqual([[], []]);
});

it('takes values that the clause names, by their types', () => {
  const parameters = { room: text(), litres: { type: 'number' }, slow: { type: 'boolean' } };
  const { values, missing, evidence } = fill('water with room "kitchen", litres=2.5 and slow: yes', parameters);
  expect(values).toEqual({ room: 'kitchen', litres: 2.5, slow: true });
  expect([missing, evidence]).toEqual([[], 6]);
  expect(fill('room: big hall and litres: 3', parameters).values).toEqual({ room: 'big hall', litres: 3 });
});

it('says what is missing', () => {
  expect(fill('water', { room: text(), litres: { type: 'number' } })).toEqual({
    values: {},
    missing: ['room', 'litres'],
    evidence: 0,
  });
});

it('takes only one of the options', () => {
  const mode = { mode: { type: 'string', enum: ['fast', 'safe'] } };
  expect(fill('run in fast mode', mode).values).toEqual({ mode: 'fast' });
  expect(fill('mode "quick"', mode).values).toEqual({});
});

it.each([
  ['get https://a.test/x', 'url', 'https://a.test/x', 4],
  ['write to ann@mail.test', 'email', 'ann@mail.test', 3],
  ['compute 2 + 3', 'expression', '2 + 3', 4],
  ['remove Box-a1b2c', 'component_id', 'Box-a1b2c', 2],
  ['add a TextInput', 'component_type', 'TextInput', 2],
  ['read src/a.ts', 'path', 'src/a.ts', 2],
  ['weather in New York', 'city', 'New York', 2],
  ['time in Europe/Zurich', 'timezone', 'Europe/Zurich', 2],
  ['search for green cheese', 'query', 'green cheese', 0],
])('takes from "%s" the value for %s', (clause, name, value, evidence) => {
  expect(fill(clause, { [name]: text() })).toEqual({ values: { [name]: value }, missing: [], evidence });
});

it('gives each of two currencies, two ends of a link and two texts its own place', () => {
  const currency = { from_currency: text('currency'), to_currency: text('currency') };
  expect(fill('convert USD to EUR', currency).values).toEqual({ from_currency: 'USD', to_currency: 'EUR' });
  const link = { source_id: text(), source_output: text(), target_id: text(), target_input: text() };
  expect(fill('connect A-11111.out -> B-22222.in', link).values).toEqual({
    source_id: 'A-11111',
    source_output: 'out',
    target_id: 'B-22222',
    target_input: 'in',
  });
  expect(fill('replace "a" with "b"', { old_text: text(), new_text: text() }).values).toEqual({
    old_text: 'a',
    new_text: 'b',
  });
});

it('gives a field and its value their places', () => {
  const field = { field_name: text(), new_value: text() };
  expect(fill('set temperature of Model to 0.5', field).values).toEqual({
    field_name: 'temperature',
    new_value: '0.5',
  });
});

it('uses a value once', () => {
  expect(fill('copy a.txt to b.txt', { from_path: text(), to_path: text() }).values).toEqual({
    from_path: 'a.txt',
    to_path: 'b.txt',
  });
});

it('takes the number whose word the parameter is about', () => {
  const lines = { limit: { type: 'integer', description: 'Maximum number of lines.' } };
  expect(fill('show 2 files and 10 lines', lines).values).toEqual({ limit: 10 });
  expect(fill('show 7', lines).values).toEqual({ limit: 7 });
});

it('gives quoted texts in their order, and the last result for a word such as it', () => {
  const file = { path: text('Path of the file.'), content: text() };
  expect(fill('write "hello" to a.txt', file).values).toEqual({ path: 'a.txt', content: 'hello' });
  expect(fill('save it to a.txt', file, { last: 'the result' }).values).toEqual({
    path: 'a.txt',
    content: 'the result',
  });
  expect(fill('save to a.txt', file, { last: 'the result' }).missing).toEqual(['content']);
  expect(fill('save it to a.txt', file).missing).toEqual(['content']);
});

it("takes the whole clause for a parameter in the user's own words", () => {
  expect(fill('build me a shop', { request: text("What to build, in the user's own words.") }).values).toEqual({
    request: 'build me a shop',
  });
});

it('leaves the subject out of a search that the tool is about', () => {
  const query = { query: text() };
  expect(fill('find components for splitting text', query, { tool: 'search_components' }).values).toEqual({
    query: 'splitting text',
  });
});

const each = (names: string, clause: string, value: string, evidence: number, description = '') =>
  names.split(' ').map((name) => [name, clause, value, evidence, description] as const);

it.each([
  ...each('to email recipient', 'write to ann@mail.test', 'ann@mail.test', 3, 'Address'),
  ...each('email recipient', 'write to ann@mail.test', 'ann@mail.test', 3),
  ...each('to', 'write to ann@mail.test', 'ann@mail.test', 3, 'Email'),
  ...each('to', 'write to ann@mail.test', 'ann@mail.test', 3, 'The recipient'),
  ...each('url uri link', 'get https://a.test/x', 'https://a.test/x', 4),
  ...each('page', 'get https://a.test/x', 'https://a.test/x', 4, 'Address of the page.'),
  ...each('expression formula', 'compute 2 + 3', '2 + 3', 4),
  ...each('pattern', 'find "x y" in *.ts', 'x y', 3),
  ...each('pattern', 'find "" or "x y"', 'x y', 3),
  ...each('glob', 'find "x y" in *.ts', '*.ts', 3),
  ...each('pattern', 'find "x y" in *.ts', '*.ts', 3, 'A glob.'),
  ...each('zone timezone place_timezone', 'time in Europe/Zurich', 'Europe/Zurich', 2),
  ...each('region', 'time in Europe/Zurich', 'Europe/Zurich', 2, 'A timezone'),
  ...each('currency', 'convert USD to EUR', 'USD', 2),
  ...each('source', 'convert USD to EUR', 'USD', 2, 'The currency.'),
  ...each('target to_x', 'convert USD to EUR', 'EUR', 2, 'The currency.'),
  ...each('id node_id', 'remove Box-a1b2c', 'Box-a1b2c', 2),
  ...each('type kind class', 'add a TextInput', 'TextInput', 2),
  ...each('path file filename directory dir folder', 'read src/a.ts', 'src/a.ts', 2),
  ...each('path', 'list the folder lib', 'lib', 2, 'A file.'),
  ...each('path', 'read *.md and a.md', 'a.md', 2, 'A file.'),
  ...each('city place location country town', 'weather in New York', 'New York', 2),
  ...each('query question q keywords search', 'search for green cheese', 'green cheese', 0),
  ...each('x', 'search for green cheese', 'green cheese', 0, 'What to search.'),
  ...each('x', 'search for green cheese', 'green cheese', 0, 'Words to search'),
  ...each('query', 'search cheese on the web.', 'cheese', 0),
  ...each('query', 'look up cheese on the internet now?', 'cheese now', 0),
  ...each('query', 'google cheese!', 'cheese', 0),
  ...each('query', 'tell me something about cheese', 'cheese', 0),
  ...each('query', 'find things that smell', 'smell', 0),
  ...each('query', 'find "a b" or "c"', 'a b', 0),
  ...each('query', 'search about mice for cats', 'mice for cats', 0),
  ...each('message', 'greet with message hi there.', 'hi there', 1),
  ...each('message', 'greet with a message "x"', 'x', 2),
  ...each('request', 'build a shop', 'build a shop', 1, 'In their own words.'),
  ...each('field property key setting', 'set color to blue', 'color', 1),
])('fills %s from "%s" with "%s"', (name, clause, value, evidence, description) => {
  expect(fill(clause, { [name]: text(description) })).toEqual({ values: { [name]: value }, missing: [], evidence });
});

it.each([
  ['to', 'write to ann@mail.test', ''],
  ['target', 'convert USD to EUR', ''],
  ['other', 'set color to blue', ''],
  ['value', 'set color to blue', ''],
  ['request', 'build a shop', 'In words.'],
  ['a_path', 'save "a b"', ''],
  ['x_url', 'save "a"', ''],
  ['pattern', 'find x', ''],
])('fills %s not from "%s"', (name, clause, description) => {
  expect(fill(clause, { [name]: text(description) })).toEqual({ values: {}, missing: [name], evidence: 0 });
});

it('takes a directory for an optional file only where its description allows one', () => {
  const optional = (description: string, clause: string) =>
    fillArguments('tool', parametersOf({ properties: { path: text(description) } }), readClause(clause), undefined)
      .values['path'];
  expect([
    optional('A file.', 'list the folder lib'),
    optional('A file or folder.', 'list the folder lib'),
    optional('A file or directory.', 'list the folder lib'),
    optional('', 'list the folder lib'),
    optional('A file.', 'read a.md'),
  ]).toEqual([undefined, 'lib', 'lib', 'lib', 'a.md']);
});

it.each(['title', 'name', 'subject'])('takes for %s what is named so, before any other quoted text', (name) => {
  const page = (word: string) =>
    fillArguments(
      'tool',
      parametersOf({ properties: { [name]: text() } }),
      readClause(`a page ${word} "Home"`),
      undefined,
    );
  for (const word of ['titled', 'called', 'named', 'entitled'])
    expect(page(word)).toEqual({ values: { [name]: 'Home' }, missing: [], evidence: 2 });
  expect(page('with').evidence).toBe(name === 'name' ? 0 : 1);
});

it.each([
  ['limit', 'lines', 'show 10 lines', 10],
  ['lines', 'Number of lines', 'show 10 lines', 10],
  ['lines', 'How many', 'show 10 lines', 10],
  ['lines', 'The maximum', 'show 10 lines', 10],
  ['max_line', '', 'show 10 lines', 10],
  ['count_line', '', 'show 1 line', 1],
  ['lines', '', 'show 10 lines', undefined],
  ['limit', 'Maximum', 'show 10', undefined],
  ['limit', 'Maximum', 'show 10 lines', undefined],
])('takes for the number %s (%s) from "%s" the value %j', (name, description, clause, value) => {
  const parameters = parametersOf({ properties: { [name]: { type: 'integer', description } } });
  expect(fillArguments('tool', parameters, readClause(clause), undefined)).toEqual({
    values: value === undefined ? {} : { [name]: value },
    missing: [],
    evidence: value === undefined ? 0 : 1,
  });
});

it.each([
  ['a b is "one"', 'string', 'one'],
  ["a_b of 'one two'", 'string', 'one two'],
  ['a_b as "one"', 'string', 'one'],
  ['A_B="one"', 'string', 'one'],
  ['a_b: one two', 'string', 'one two'],
  ['a_b=one two', 'string', 'one'],
  ['a_b: on', 'boolean', true],
  ['a_b: TRUE', 'boolean', true],
  ['a_b: no', 'boolean', false],
  ['a_b: 1.5', 'number', 1.5],
  ['a_b: 7', 'integer', 7],
])('reads "%s" as %s %j', (clause, type, value) => {
  expect(fill(clause, { a_b: { type } })).toEqual({ values: { a_b: value }, missing: [], evidence: 2 });
});

it('reads no number from words, and nothing by form for other types', () => {
  expect(fill('a_b: many', { a_b: { type: 'integer' } }).values).toEqual({});
  expect(fill('read a.md', { path: { type: 'object' } }).values).toEqual({});
  expect(fill('go FAST', { mode: { type: 'string', enum: ['fast'] } })).toMatchObject({
    values: { mode: 'fast' },
    evidence: 2,
  });
  expect(fill('go faster', { mode: { type: 'string', enum: ['fast'] } }).values).toEqual({});
  expect(fill('a: one, b_c: two and d: 3', { a: text(), b_c: text(), d: { type: 'number' } }).values).toEqual({
    a: 'one',
    b_c: 'two',
    d: 3,
  });
});

it.each('content text body message input value title subject description prompt note'.split(' '))(
  'gives a quoted text or the last result to %s',
  (name) => {
    const optional = parametersOf({ properties: { [name]: text() } });
    expect(fillArguments('tool', optional, readClause('save "a"'), 'R')).toMatchObject({
      values: { [name]: 'a' },
      evidence: 1,
    });
    expect(fillArguments('tool', optional, readClause('save it'), 'R').values).toEqual({});
    expect(fill('save it', { [name]: text() }, { last: 'R' })).toEqual({
      values: { [name]: 'R' },
      missing: [],
      evidence: 1,
    });
  },
);

it('gives quoted texts once, in order, only to texts that may have any form', () => {
  expect(fill('write "a" "b" "c"', { x: text(), content: text(), mode: { enum: ['z'] } }).values).toEqual({
    x: 'a',
    content: 'b',
  });
  expect(fill('save it', { other: text() }, { last: 'R' }).missing).toEqual(['other']);
  expect(fill('find "x" "y" "z"', { pattern: text(), content: text() }).values).toEqual({ pattern: 'x', content: 'y' });
  const optional = parametersOf({ properties: { other: text() } });
  expect(fillArguments('tool', optional, readClause('save "a"'), 'R').values).toEqual({});
});

it('gives both ends of a link, both texts of a replacement, and a setting with its value', () => {
  const ends = { source_node: text(), target_node: text(), source: text(), target: text() };
  expect(fill('connect A-11111.out -> B-22222.in', ends)).toEqual({
    values: { source_node: 'A-11111', target_node: 'B-22222', source: 'out', target: 'in' },
    missing: [],
    evidence: 8,
  });
  expect(fill('replace "a" with "b"', { old: text(), replacement: text() })).toEqual({
    values: { old: 'a', replacement: 'b' },
    missing: [],
    evidence: 4,
  });
  for (const name of ['field', 'property', 'key', 'setting'])
    expect(fill('set color to blue', { [name]: text(), value: text() })).toEqual({
      values: { [name]: 'color', value: 'blue' },
      missing: [],
      evidence: 2,
    });
});

it('leaves another subject in a search', () => {
  const query = { query: text() };
  expect(fill('search notes about cats', query, { tool: 'search_notes' }).values).toEqual({ query: 'cats' });
  expect(fill('search which Components for text', query, { tool: 'search_components' }).values).toEqual({
    query: 'text',
  });
  expect(fill('search which notes for text', query, { tool: 'search_components' }).values).toEqual({
    query: 'notes for text',
  });
});
