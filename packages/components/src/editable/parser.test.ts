import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { ParserComponent } from './parser.ts';

const run = (values: Partial<ParserComponent>) =>
  Object.assign(new ParserComponent(), { mode: 'Parser', pattern: '{a}', sep: '\n', if_empty: '', ...values }).run()
    .parsed_text.text;

it('writes each record by the pattern', () => {
  expect(run({ input_data: [{ a: 1, b: 'x' }, { a: 2 }], pattern: '{a}={b};', sep: '|' })).toBe('1=x;|2=;');
  expect(run({ input_data: [{ a: 1 }], pattern: { text: 'no gap' } })).toBe('no gap');
});

it('writes another text where there are no records', () => {
  expect(run({ input_data: [], if_empty: 'nothing' })).toBe('nothing');
});

it('refuses a pattern for other records, and names what there is', () => {
  expect(() => run({ input_data: [{ a: 1, c: 2 }], pattern: '{a} {b}' })).toThrow(
    "No record has a value 'b', which the pattern names.",
  );
  try {
    run({ input_data: [{ a: 1, c: 2 }], pattern: '{b}' });
  } catch (error) {
    expect((error as { fix: string }).fix).toMatch(
      /^Use these names in the pattern: .*a.*c.*Or set Mode to Stringify\.$/,
    );
  }
  expect(run({ input_data: [{ a: 1 }, { b: 2 }], pattern: '{b}' })).toBe('\n2');
  expect(run({ input_data: [{ b: 2 }, { a: 1 }], pattern: '{b}' })).toBe('2\n');
});

it('writes the data itself as JSON', () => {
  expect(run({ mode: 'Stringify', input_data: [{ a: 1 }] })).toBe('[\n  {\n    "a": 1\n  }\n]');
  expect(run({ mode: 'Stringify', input_data: 'text' })).toBe('text');
});

it('has ports that stored flows name', () => {
  expect(portsOf(new ParserComponent())).toEqual([
    'input_data: handle Table Data required',
    'mode: select default="Parser" of Parser|Stringify',
    'pattern: multiline Message default="Text: {text}" portWhenConnected variables=false if mode Parser',
    'sep: text Message advanced default="\\n" portWhenConnected variables=false',
    'if_empty: text advanced default="" variables=false if mode Parser',
    'parsed_text: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new ParserComponent())).toEqual([
    'Parser (file-text): Writes each record as text by a pattern such as "{name}: {price}".',
    '',
    'input_data: Data',
    'mode: Mode',
    'pattern: Pattern',
    'sep: Separator',
    'if_empty: Text without records | The text where there are no records.',
    'parsed_text: Text',
  ]);
});
