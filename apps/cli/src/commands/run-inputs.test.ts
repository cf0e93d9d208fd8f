import { builtinRegistry } from '@croft/components';
import { buildFromSpec, type FlowDocument } from '@croft/flow';
import { describe, expect, it } from 'vitest';
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
