import { expect, it } from 'vitest';
import { chooseTool, type OfferedTool } from './choose-tool.ts';
import { readClause } from './clause.ts';

const path = { path: { type: 'string', description: 'Path of the file.' } };
const tool = (name: string, description: string, properties: object = {}): OfferedTool => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
});
const TOOLS = [
  tool('read_file', 'Reads a file.', path),
  tool('delete_file', 'Deletes a file.', path),
  tool('list_directory', 'Lists the entries of a directory.', { directory: { type: 'string' } }),
  tool('calculator', 'Computes an expression.', { expression: { type: 'string' } }),
  tool('get_weather', 'Gives the weather of a city.', { city: { type: 'string' } }),
  tool('current_time', 'Tells the time.'),
];
const choose = (text: string, last?: string) => {
  const choice = chooseTool(TOOLS, readClause(text), last);
  return choice && [choice.tool.name, choice.filled.values];
};

it.each([
  ['read notes.txt', 'read_file', { path: 'notes.txt' }],
  ['erase notes.txt', 'delete_file', { path: 'notes.txt' }],
  ['list the folder src', 'list_directory', { directory: 'src' }],
  ['how much is 2 + 3', 'calculator', { expression: '2 + 3' }],
  ['what is the weather in Paris', 'get_weather', { city: 'Paris' }],
])('takes for "%s" the tool %s', (text, name, values) => {
  expect(choose(text)).toEqual([name, values]);
});

it('takes no tool where nothing but the verb fits', () => {
  for (const text of ['read my mind', 'sing a song', 'delete the internet'])
    expect([text, choose(text)]).toEqual([text, undefined]);
  expect(chooseTool([], readClause('read a.txt'), undefined)).toBeUndefined();
});

it('takes the tool that the clause names, with the arguments as JSON', () => {
  expect(choose('use delete_file with {"path": "a.txt"} and read it')).toEqual(['delete_file', { path: 'a.txt' }]);
  expect(choose('call calculator with {"expression": "1"}')).toEqual(['calculator', { expression: '1' }]);
  const { missing } = chooseTool(TOOLS, readClause('use delete_file with {"other": 1}'), undefined)?.filled ?? {};
  expect(missing).toEqual(['path']);
  expect(choose('use delete_file on {broken} a.txt')).toEqual(['delete_file', { path: 'a.txt' }]);
});

it('does not take the name of a tool in another word for the tool', () => {
  expect(choose('use predelete_filer now')).toBeUndefined();
});

it('prefers a tool whose arguments the clause has', () => {
  const many = { ...path, owner: { type: 'string' }, reason: { type: 'string' } };
  const tools = [tool('read_file_audited', 'Reads a file.', many), tool('read_file', 'Reads a file.', path)];
  expect(chooseTool(tools, readClause('read the file a.txt'), undefined)?.tool.name).toBe('read_file');
});

it('takes a tool by its name only where the name has an underscore or the clause says to use it', () => {
  const offered = { name: 'zap', inputSchema: { properties: {} } };
  const zap = (text: string) => chooseTool([offered], readClause(text), undefined)?.filled.values;
  expect(['the zap {"b": 1}', 'use zap {"b": 1}', 'call zap {"b": 1}', 'run ZAP {"b": 1}'].map(zap)).toEqual([
    {},
    { b: 1 },
    { b: 1 },
    { b: 1 },
  ]);
  expect(choose('current_time')).toEqual(['current_time', {}]);
  expect(choose('CURRENT_TIME please')?.[0]).toBe('current_time');
});

it('reads the JSON of a tool that is named', () => {
  const choice = chooseTool(TOOLS, readClause('read_file {"path": "a.txt", "x": {"y": 1}}'), undefined);
  expect(choice).toEqual({
    tool: TOOLS[0],
    filled: { values: { path: 'a.txt', x: { y: 1 } }, missing: [], evidence: 0 },
  });
  expect(choose('use delete_file } a.txt {')?.[0]).toBe('delete_file');
  expect(choose('use current_time with {}')).toEqual(['current_time', {}]);
});

it('takes a tool without a required value for its verb alone, and the first of two that fit alike', () => {
  const tools = [tool('undo_change', 'Takes back the last change.'), tool('undo_change_2', 'Takes back a change.')];
  expect(chooseTool(tools, readClause('undo'), undefined)?.tool.name).toBe('undo_change');
  expect(chooseTool([tool('undo_change', 'x', path)], readClause('undo'), undefined)).toBeUndefined();
  expect(
    chooseTool([tool('save_a.b', 'x'), tool('save_axb', 'x')], readClause('use save_axb'), undefined)?.tool.name,
  ).toBe('save_axb');
});
