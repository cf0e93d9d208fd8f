import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { TypeConverterComponent } from './type-converter.ts';

const run = (input_data: unknown, auto_parse = true) =>
  Object.assign(new TypeConverterComponent(), { input_data, auto_parse }).run();

it('gives a value as a message, a record and rows', () => {
  expect(run([{ a: 1 }, { a: 2 }])).toMatchObject({ dataframe_output: [{ a: 1 }, { a: 2 }] });
  expect(run({ a: 1 })).toMatchObject({ data_output: { a: 1 }, dataframe_output: [{ a: 1 }] });
  expect(run('hi')).toMatchObject({ message_output: { text: 'hi' }, dataframe_output: [{ text: 'hi' }] });
});

it('reads JSON in a text, also of a message, if it is to', () => {
  for (const text of [' [{"a": 1}]', { text: '[{"a": 1}]' }]) expect(run(text).dataframe_output).toEqual([{ a: 1 }]);
  expect(run('{"a": 1}').data_output).toEqual({ a: 1 });
  expect(run('[{"a": 1}]').message_output).toMatchObject({ text: '[{"a": 1}]' });
  expect(run('[{"a": 1}]', false).dataframe_output).toMatchObject([{ text: '[{"a": 1}]' }]);
});

it('leaves other texts as they are', () => {
  for (const text of ['[not JSON', 'x [1]', '12']) expect(run(text).dataframe_output, text).toMatchObject([{ text }]);
  expect(run({ text: 7 }).data_output).toEqual({ text: 7 });
});

it('has ports that stored flows name', () => {
  expect(portsOf(new TypeConverterComponent())).toEqual([
    'input_data: handle Message Data Table required',
    'auto_parse: switch advanced default',
    'message_output: gives Message',
    'data_output: gives Data',
    'dataframe_output: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new TypeConverterComponent())).toEqual([
    'Type converter (repeat): Turns a message, a record or rows into one of the others.',
    '',
    'input_data: Value',
    'auto_parse: Read JSON and CSV in texts',
    'message_output: Message',
    'data_output: Data',
    'dataframe_output: Table',
  ]);
});
