import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { ChatOutput } from './chat-output.ts';

const shown = (value: unknown, template = '{text}'): string =>
  Object.assign(new ChatOutput(), {
    input_value: value,
    data_template: template,
    sender_name: '',
    session_id: '',
  }).run().message.text;

it('shows rows as a table in Markdown', () => {
  const rows = [
    { name: 'Ada', age: 36 },
    { name: 'Grace', tags: ['a'] },
  ];
  expect(shown(rows)).toBe(
    ['| name  | age | tags  |', '| ----- | --- | ----- |', '| Ada   | 36  |       |', '| Grace |     | ["a"] |'].join(
      '\n',
    ),
  );
});

it('keeps values of rows from being Markdown', () => {
  const values = {
    a: 'x|y',
    b: '*b* `c` ~d~ _e_',
    c: '[l](u) <i> &lt;',
    d: 'one\ntwo',
    e: 'C:\\new\\|',
    f: 'snake_case',
  };
  expect(
    shown([values])
      .split('\n')[2]
      ?.split(/ +\| +/),
  ).toEqual([
    '| x\\|y',
    '\\*b\\* \\`c\\` \\~d\\~ \\_e\\_',
    '[l\\](u) \\<i> \\&lt;',
    'one two',
    'C:\\new\\\\\\|',
    'snake_case |',
  ]);
});

it('says how many rows and columns a table leaves out', () => {
  const row = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`c${at}`, at]));
  const text = shown(Array.from({ length: 120 }, () => row));
  expect(text).toMatch(/\n\nand 20 more rows and 5 more columns$/);
  expect(text.split('\n').filter((line) => line.startsWith('|'))).toHaveLength(102);
  expect(shown([{}, {}])).toBe('2 rows without values');
});

it('shows one record as JSON, and rows that the template names line by line', () => {
  expect(shown({ a: 1 })).toBe('```json\n{\n  "a": 1\n}\n```');
  expect(shown([{ text: 'one' }, { text: 'two' }])).toBe('one\ntwo');
  expect(shown([{ a: 1 }, { b: 2 }], 'a is {a}')).toBe('a is 1\n```json\n{\n  "b": 2\n}\n```');
});

it('has ports that stored flows name', () => {
  expect(portsOf(new ChatOutput())).toEqual([
    'input_value: handle Message Data Table required',
    'data_template: text Message advanced default="{text}" portWhenConnected variables=false',
    'sender_name: text Message advanced default="AI" portWhenConnected variables=false',
    'session_id: text Message advanced default="" portWhenConnected variables=false',
    'message: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new ChatOutput())).toEqual([
    'Chat output (message-square-reply): Shows a message, a record or rows as the answer of the flow.',
    '',
    'input_value: Value',
    'data_template: Template for records | Names in braces stand for fields of a record.',
    'sender_name: Sender name',
    'session_id: Session',
    'message: Message',
  ]);
});
