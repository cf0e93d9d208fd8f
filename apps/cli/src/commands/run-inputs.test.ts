import { builtinRegistry } from '@croft/components';
import { buildFromSpec, type FlowDocument } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../../packages/workspace/src/testing.ts';
import { checkUntil, readInputs } from './run-inputs.ts';

const registry = builtinRegistry();

function flowOf(spec: string): FlowDocument {
  const built = buildFromSpec(spec, registry, (_type, id) => id);
  if ('error' in built) throw new Error(built.details);
  return built.flow;
}

const chat = flowOf('nodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value');
const text = flowOf('nodes:\n  I: TextInput\n  O: ChatOutput\nedges:\n  I.text -> O.input_value');
const rows = flowOf('nodes:\n  R: ReadData\n  __proto__: ReadData');

function read(flow: FlowDocument, ...given: string[]) {
  const notes: string[] = [];
  return { inputs: readInputs(flow, registry, given, (note) => notes.push(note)), notes };
}

describe('readInputs', () => {
  it('sets fields of components, and sends other text to the chat input', () => {
    expect(read(chat, 'a = b')).toEqual({ inputs: { I: { input_value: 'a = b' } }, notes: [] });
    expect(read(rows, 'R.path=a=b.csv')).toEqual({ inputs: { R: { path: 'a=b.csv' } }, notes: [] });
  });

  it('refuses an unknown field, and lists the known ones', () => {
    expect(() => read(rows, 'R.pth=a.csv')).toThrow(/R \(ReadData\) has no field 'pth'; it has .*\bpath\b/);
  });

  it('gives a field a value of its kind, and refuses what is not one', () => {
    const sort = flowOf('nodes:\n  S: SortRows');
    const given = ['S.limit=3', 'S.ascending=false', 'S.column_name=5'];
    expect(read(sort, ...given).inputs).toEqual({ S: { limit: 3, ascending: false, column_name: '5' } });
    expect(() => read(sort, 'S.limit=abc')).toThrow(/'limit' \(.*\) of S must be a number/);
    expect(() => read(sort, 'S.limit=1.5')).toThrow('must be a whole number');
    expect(() => read(sort, 'S.limit=')).toThrow('must be a number');
    expect(() => read(sort, 'S.ascending=no')).toThrow('must be true or false');
    expect(() => read(rows, 'R.format=xml')).toThrow('must be one of: auto, csv, json, yaml');
  });

  it('refuses an unknown component, and says how to send such a text as the message', () => {
    expect(() => read(rows, 'X.path=a.csv')).toThrow("the flow has no component 'X'; it has R");
    expect(() => read(chat, 'X.path=a.csv')).toThrow(
      "--input: the flow has no component 'X'; it has I, O. To send this text as the message, put I.input_value= before it",
    );
    expect(read(chat, 'I.input_value=X.path=a.csv').inputs).toEqual({ I: { input_value: 'X.path=a.csv' } });
  });

  it.each(['https://a.example/b?c=d', 'f(x.y=1)', 'the x.y=1', 'x=1.5', '1.5 = x'])(
    'sends %j as the message, because no component has such a name',
    (message) => expect(read(chat, message)).toEqual({ inputs: { I: { input_value: message } }, notes: [] }),
  );

  it('refuses a chat without a message unless an empty one is given, and notes an empty text input', () => {
    expect(() => read(chat)).toThrow("the message is empty; give one with --input 'text'");
    expect(read(chat, 'I.input_value=')).toEqual({ inputs: { I: { input_value: '' } }, notes: [] });
    expect(read(text).notes).toEqual([expect.stringContaining("--input 'text'") as string]);
    expect(read(rows).notes).toEqual([]);
  });

  it('does not change the prototype of objects for a component called __proto__', () => {
    read(rows, '__proto__.path=a.csv');
    expect(({} as { path?: string }).path).toBeUndefined();
  });
});

describe('checkUntil', () => {
  it('refuses a component that the flow lacks', () => {
    expect(() => checkUntil(chat, 'X')).toThrow("--until: the flow has no component 'X'; it has I, O");
    checkUntil(chat, 'O');
  });
});

describe('values of the command line', () => {
  const field = (kind: string, more: object = {}) => ({ name: kind, label: `The ${kind}`, kind, ...more });
  const kinds = [
    'number',
    'slider',
    'integer',
    'switch',
    'multiselect',
    'key-value',
    'table',
    'json',
    'text',
    'secret',
  ];
  const fields = [
    ...kinds.map((kind) => field(kind)),
    field('code', { list: true }),
    field('handle', { accepts: ['Data'] }),
  ];
  const component = { descriptor: { type: 'Any', label: 'Any', fields, outputs: [] } };
  const own = { entries: [], get: (type: string) => (type === 'Any' ? component : undefined) } as never;
  const node = (id: string, type: string, values: object = {}) => ({ id, type, values });
  const flow = (...nodes: object[]) => ({ nodes, edges: [] }) as never as FlowDocument;
  const valueOf = (name: string, text: string) =>
    readInputs(flow(node('A', 'Any')), own, [`A.${name}=${text}`], () => {})['A']?.[name];
  const refusal = (...given: string[]) => refusalOf(() => readInputs(flow(node('A', 'Any')), own, given, () => {}));

  it.each([
    ['number', ' 1.5 ', 1.5],
    ['number', '-2e3', -2000],
    ['slider', '0', 0],
    ['integer', '7', 7],
    ['switch', 'true', true],
    ['switch', 'false', false],
    ['multiselect', '["a"]', ['a']],
    ['key-value', '{"a":1}', { a: 1 }],
    ['table', '[{"a":1}]', [{ a: 1 }]],
    ['json', '5', 5],
    ['json', 'no json', 'no json'],
    ['text', '[1]', '[1]'],
    ['text', '5', '5'],
    ['text', 'a\nb=c', 'a\nb=c'],
    ['secret', '', ''],
    ['code', '["a"]', ['a']],
    ['code', '[a', '[a'],
    ['code', '{"a":1}', '{"a":1}'],
    ['handle', '5', '5'],
  ])('of a field of kind %s: %j is %j', (name, text, value) => {
    expect(valueOf(name, text)).toEqual(value);
  });

  it.each([
    ['number', ' ', 'must be a number'],
    ['slider', 'x', 'must be a number'],
    ['integer', '1.5', 'must be a whole number'],
    ['switch', 'True', 'must be true or false'],
    ['multiselect', 'a', 'must be a list of: texts'],
    ['key-value', '[1]', 'must be an object'],
    ['table', '{}', 'must be a list of rows'],
  ])('of a field of kind %s are refused: %j', (name, text, problem) => {
    expect(refusal(`A.${name}=${text}`)).toBe(`--input: '${name}' (The ${name}) of A ${problem}`);
  });

  it('are refused for an unknown field, with the known ones', () => {
    expect(refusal('A.other=1')).toBe(
      `--input: A (Any) has no field 'other'; it has ${[...kinds, 'code', 'handle'].join(', ')}`,
    );
  });

  it('are texts for an unknown kind of component, and the last one of a field counts', () => {
    const mixed = flow(node('U', 'Unknown'), node('A', 'Any'));
    expect(readInputs(mixed, own, ['A.number=1', 'U.x=1', 'U.y=', 'A.number=2', 'A.text=t'], () => {})).toEqual({
      U: { x: '1', y: '' },
      A: { number: 2, text: 't' },
    });
  });

  it('need the name of a component where the flow takes no message', () => {
    expect(refusal('hello')).toBe(
      'the flow has no chat input or text input; use --input NODE.FIELD=VALUE, with NODE one of A',
    );
    expect(refusal('f(x).y=1')).toBe("--input: the flow has no component 'f(x)'; it has A");
  });

  it('name at most 30 components', () => {
    const many = (count: number) => flow(...Array.from({ length: count }, (_, at) => node(`N${at}`, 'Any')));
    const names = Array.from({ length: 30 }, (_, at) => `N${at}`).join(', ');
    expect(refusalOf(() => checkUntil(many(30), 'X'))).toBe(`--until: the flow has no component 'X'; it has ${names}`);
    expect(refusalOf(() => checkUntil(many(32), 'X'))).toBe(
      `--until: the flow has no component 'X'; it has ${names} and 2 more`,
    );
    expect(refusalOf(() => checkUntil(many(1), undefined))).toBe('accepted');
  });
});

describe('the message of a flow', () => {
  const flow = (nodes: object[], edges: object[] = []) => ({ nodes, edges }) as never as FlowDocument;
  const node = (id: string, type: string, values: object = {}) => ({ id, type, values });
  const input = { id: 'I', type: 'ChatInput' };

  it('goes to the chat input, also where a text input is before it', () => {
    const both = flow([node('T', 'TextInput'), node('C', 'ChatInput'), node('D', 'ChatInput')]);
    expect(read(both, 'hello')).toEqual({ inputs: { C: { input_value: 'hello' } }, notes: [] });
  });

  it('may be in the file, or come over an edge', () => {
    expect(read(flow([node('I', 'ChatInput', { input_value: 'hi' })]))).toEqual({ inputs: {}, notes: [] });
    const edge = (to: object) => ({ id: 'e', from: { node: 'X', port: 'p' }, to });
    const fed = flow([node('I', 'ChatInput'), node('X', 'TextInput')], [edge({ node: 'I', port: 'input_value' })]);
    expect(read(fed)).toEqual({ inputs: {}, notes: [] });
    for (const to of [
      { node: 'I', port: 'other' },
      { node: 'X', port: 'input_value' },
    ])
      expect(() => read(flow([{ ...input, values: {} }, node('X', 'TextInput')], [edge(to)]))).toThrow('is empty');
  });

  it('is asked for where it is empty', () => {
    expect(refusalOf(() => read(flow([node('I', 'ChatInput', { input_value: '' })])))).toBe(
      "the message is empty; give one with --input 'text', or run with none on purpose: --input I.input_value=",
    );
    expect(read(flow([node('T', 'TextInput')])).notes).toEqual([
      "The text input is empty. Give a text with --input 'text'.",
    ]);
    expect(read(flow([node('T', 'TextInput')]), 'x').notes).toEqual([]);
  });

  it.each(['Chat.text=a', 'A-1.b_2=', '_a._b=c'])('is not %j, which looks like a field', (text) => {
    expect(() => read(chat, text)).toThrow('the flow has no component');
  });

  it.each(['a.1b=c', 'a.b-c=d', '-a.b=c', '1a.b=c', 'a .b=c', 'a.b', 'a=b.c=d'])('may be %j', (text) => {
    expect(read(chat, text).inputs).toEqual({ I: { input_value: text } });
  });
});
