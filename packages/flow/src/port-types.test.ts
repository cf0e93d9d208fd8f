import { expect, it } from 'vitest';
import { converterFor, PORT_TYPES, portTypeOf, typesFit } from './port-types.ts';

it('knows the types of this builder and the names of others', () => {
  expect(['DataFrame', 'JSON', 'str', 'Tool', 'text', 'constructor'].map(portTypeOf)).toEqual([
    'Table',
    'Data',
    'Message',
    'Tool',
    undefined,
    undefined,
  ]);
});

it('lets a value feed an input of its type or of any type', () => {
  for (const type of PORT_TYPES) if (type !== 'Any') expect(typesFit([type], [type]), type).toBe(true);
  expect(typesFit(['Message', 'Table'], ['Table'])).toBe(true);
  expect(typesFit(['Message'], ['Any'])).toBe(true);
  expect(typesFit(['Any'], ['Message'])).toBe(true);
  expect(typesFit(['Message'], ['Data'])).toBe(false);
  expect(typesFit([], ['Any'])).toBe(false);
});

it('lets nothing pass for a tool or a model, and no tool for a value', () => {
  expect(typesFit(['Tool'], ['Any'])).toBe(false);
  for (const type of ['Tool', 'LanguageModel', 'Embeddings'] as const)
    expect(typesFit(['Any'], [type]), type).toBe(false);
});

it('finds the component between two types, the first that fits', () => {
  expect(converterFor(['Message'], ['Table'])).toEqual({
    component: 'TypeConverterComponent',
    input: 'input_data',
    output: 'dataframe_output',
  });
  expect(converterFor(['Tool', 'Data'], ['File', 'Message'])?.component).toBe('ParserComponent');
  expect(converterFor(['File'], ['Message'])?.component).toBe('DocumentText');
  expect(converterFor(['Message'], ['Tool'])).toBeUndefined();
});

it('lists which types fit, which other names they have, and what converts them', () => {
  const fitting = PORT_TYPES.map((from) => `${from}: ${PORT_TYPES.filter((to) => typesFit([from], [to])).join(' ')}`);
  expect(fitting).toEqual([
    'Message: Message Any',
    'Data: Data Any',
    'Table: Table Any',
    'LanguageModel: LanguageModel Any',
    'Embeddings: Embeddings Any',
    'Tool: Tool',
    'File: File Any',
    'Any: Message Data Table File Any',
  ]);
  expect(['DataFrame', 'Docs', 'JSON', 'Flag', 'Text', 'Msg', 'str'].map(portTypeOf)).toEqual([
    'Table',
    'Table',
    'Data',
    'Message',
    'Message',
    'Message',
    'Message',
  ]);
  const converters = PORT_TYPES.flatMap((from) =>
    PORT_TYPES.flatMap((to) => {
      const found = converterFor([from], [to]);
      return found === undefined ? [] : [`${from} ${to}: ${found.component} ${found.input} ${found.output}`];
    }),
  );
  expect(converters).toEqual([
    'Message Data: TypeConverterComponent input_data data_output',
    'Message Table: TypeConverterComponent input_data dataframe_output',
    'Data Message: ParserComponent input_data parsed_text',
    'Data Table: TypeConverterComponent input_data dataframe_output',
    'Table Message: ParserComponent input_data parsed_text',
    'Table Data: TypeConverterComponent input_data data_output',
    'File Message: DocumentText file text',
    'File Table: DocumentText file documents',
  ]);
});
