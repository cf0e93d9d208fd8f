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
    query: 'components for splitting text'.replace('components for ', ''),
  });
});
