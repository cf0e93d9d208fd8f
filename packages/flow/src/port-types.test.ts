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
