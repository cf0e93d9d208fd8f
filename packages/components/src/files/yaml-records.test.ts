import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { addedYaml, toYaml } from './yaml-records.ts';

const ROWS = [
  { name: 'Ann Lee', age: '36', tags: ['a', 'b: c'] },
  { name: 'yes', note: 'two\nlines # "x"', age: 7, more: { city: null } },
];

it('writes rows as a list, with quotes where a text would be read as another value', () => {
  expect(toYaml(ROWS)).toBe(
    '- name: Ann Lee\n  age: "36"\n  tags: ["a","b: c"]\n- name: "yes"\n  note: "two\\nlines # \\"x\\""\n  age: 7\n  more: {"city":null}\n',
  );
});

it.each([
  ['rows', ROWS],
  ['a record', { a: 'x', 'b c': true, no: 1.5e30, '': '', '- d': '- e' }],
  ['rows without values', [{}, { a: 1 }]],
  ['no rows', []],
  ['an empty record', {}],
  [
    'texts that look like other values',
    [{ a: ['1', 'true', '~', 'null', '2024-01-01', '0x1', '.5', '-', '? x', '@a', 'a: b', 'a #b', ' a', 'a '] }],
  ],
  [
    'texts of one value each',
    [
      '1',
      'NO',
      'Null',
      '~',
      '1e3',
      '2024-01-01',
      '-',
      'a: b',
      'a #b',
      ' a',
      '[',
      '\u0085\u2028\u007f',
      '\ud83d\ude00',
    ].map((text) => ({ text, a: 1 })),
  ],
])('writes YAML that is read as the same value: %s', (_, value) => {
  expect(parse(toYaml(value))).toEqual(value);
});

it('adds records to the items of a list', () => {
  const added = (before: string) => addedYaml([{ a: 1 }], Buffer.from(before), 'f.yaml');
  for (const before of ['', '- a: 0\n', '# rows\n---\n- x\n']) expect(added(before)).toBe('- a: 1\n');
  expect(added('- a: 0')).toBe('\n- a: 1\n');
  expect(addedYaml([], Buffer.from('a: 1\n'), 'f.yaml')).toBe('');
});

it.each(['a: 1\n', '[]\n', '  - a\n', 'text'])('adds nothing to a file that is not such a list: %j', (before) => {
  expect(() => addedYaml([{ a: 1 }], Buffer.from(before), 'f.yaml')).toThrow(
    "'f.yaml' is not a list of YAML, so no record was added.",
  );
});

it.each(['- a\n...\n', '- a\n... # end\r\n\n# later\n', '- a\n...'])(
  'adds nothing after the end of a document: %j',
  (before) => {
    expect(() => addedYaml([{ a: 1 }], Buffer.from(before), 'f.yaml')).toThrow(
      `'f.yaml' ends its list with "...", so no record was added.`,
    );
  },
);

it.each(['- "...\n', '- a\n....\n', '- a\n...\n- b\n', '- a--- b\n'])(
  'does not take %j for the end of a document',
  (before) => {
    expect(addedYaml([{ a: 1 }], Buffer.from(before), 'f.yaml')).toBe('- a: 1\n');
  },
);

it.each(['- a\n---\nb: 2\n', '---\n- a\n---\n- b\n', '- a\n---'])('adds nothing to several documents: %j', (before) => {
  expect(() => addedYaml([{ a: 1 }], Buffer.from(before), 'f.yaml')).toThrow(
    "'f.yaml' has several documents of YAML, so no record was added.",
  );
});

it('writes a key of any length so that it is read back', () => {
  const rows = [{ a: 1, ['k'.repeat(2_000)]: 2 }, { ['l'.repeat(2_000)]: 'x' }];
  expect(parse(toYaml(rows))).toEqual(rows);
  expect(parse(toYaml(rows[0]))).toEqual(rows[0]);
});

it('reads a file of UTF-16 as its text', () => {
  const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  expect(addedYaml([{ a: 1 }], wide('- x\n'), 'f.yaml')).toBe('- a: 1\n');
  expect(addedYaml([{ a: 1 }], wide('- x'), 'f.yaml')).toBe('\n- a: 1\n');
  expect(() => addedYaml([], wide('a: 1\n'), 'f.yaml')).not.toThrow();
  for (const before of ['a: 1\n', '- x\n...\n'])
    expect(() => addedYaml([{ a: 1 }], wide(before), 'f.yaml')).toThrow('so no record was added');
});
