import { describe, expect, it } from 'vitest';
import { csvHead, parseData } from './parse-data.ts';

const csv = (text: string, delimiter = '') => parseData({ language: 'CSV', text, delimiter });

describe('CSV', () => {
  it.each([
    ['a,b\n1,2', ''],
    ['a;b\n1;2', ''],
    ['a\tb\n1\t2', ''],
    ['a\tb\n1\t2', '\\t'],
    ['a|b\n1|2', '|'],
    ['\ufeffa,b\r\n\r\n1,2\r\n', ''],
  ])('%j with the delimiter %j has its records', async (text, delimiter) => {
    expect(await csv(text, delimiter)).toEqual([{ a: '1', b: '2' }]);
  });

  it('may lack names and values', async () => {
    expect(await csv(' a ,,c\n1,2\n')).toEqual([{ a: '1', column_2: '2' }]);
    expect(await csv('')).toEqual([]);
  });

  it.each([
    ['a,b\n1,2,3\n4\n', [{ a: '1', b: '2', column_3: '3' }, { a: '4' }]],
    ['a,column_3\n1,2,3,\n', [{ a: '1', column_3: '2', column_3_2: '3' }]],
    [
      'a,b\n1,2,,\n,,,\n',
      [
        { a: '1', b: '2' },
        { a: '', b: '' },
      ],
    ],
    [
      'a,b\n1,2,3\n1,2,3,4,5\n',
      [
        { a: '1', b: '2', column_3: '3' },
        { a: '1', b: '2', column_3: '3', column_4: '4', column_5: '5' },
      ],
    ],
    [
      'name\nA, \0B\nC\0D',
      [
        { name: 'A, ', column_2: 'B' },
        { name: 'C', column_2: 'D' },
      ],
    ],
    ['name\nA, B\n"C, D"\nE,\n', [{ name: 'A, B' }, { name: 'C, D' }, { name: 'E,' }]],
    ['"a, b, c, d";x;y\n1;2;3', [{ 'a, b, c, d': '1', x: '2', y: '3' }]],
  ])('%j keeps values that have no name in the header', async (text, rows) => {
    expect(await csv(text)).toEqual(rows);
  });

  it('splits the values of a header with one name by the delimiter that is chosen', async () => {
    expect(await csv('name\nA;B', ';')).toEqual([{ name: 'A', column_2: 'B' }]);
  });

  it.each([
    ['amount, amount ,amount', ['amount', 'amount_2', 'amount_3']],
    ['a,a,a_2,a,a_2', ['a', 'a_3', 'a_2', 'a_4', 'a_2_2']],
    ['x,,column_2,column_2', ['x', 'column_2_2', 'column_2', 'column_2_3']],
    ['column_2,,', ['column_2', 'column_2_2', 'column_3']],
  ])('with the header %j keeps the values of all columns', async (header, columns) => {
    const values = columns.map((_, at) => String(at));
    const [row] = (await csv(`${header}\n${values.join(',')}`)) as [object];
    expect(Object.entries(row)).toEqual(columns.map((name, at) => [name, String(at)]));
    expect((await csvHead(`${header}\n`, '')).columns).toEqual(columns);
  });

  it('may have very many columns with one name', async () => {
    const { columns } = await csvHead(`${'a,'.repeat(30_000)}a`, '');
    expect([columns.length, columns.at(-1)]).toEqual([30_001, 'a_30001']);
  });
});

it('reads YAML, and refuses aliases that expand to very much', async () => {
  expect(await parseData({ language: 'YAML', text: 'a: [1, {b: 2}]', delimiter: '' })).toEqual({ a: [1, { b: 2 }] });
  const levels = 'abcdefgh';
  const bomb = [...levels].map(
    (name, i) =>
      `${name}: &${name} [${Array(9)
        .fill(i === 0 ? 'x' : `*${levels[i - 1]}`)
        .join(',')}]`,
  );
  await expect(parseData({ language: 'YAML', text: bomb.join('\n'), delimiter: '' })).rejects.toThrow(/alias/i);
});

it('finds the columns of a file, its delimiter and how its lines end', async () => {
  const head = { columns: ['a', 'b;c'], delimiter: ';', lineEnd: '\n' };
  expect(await csvHead('\ufeff a ;"b;c"\n1;2\n"open', '')).toEqual(head);
  expect(await csvHead(' a ;"b;c"\r\n1;2\n', '')).toEqual({ ...head, lineEnd: '\r\n' });
  expect(await csvHead('\ufeff"a";b\n', '')).toEqual({ columns: ['a', 'b'], delimiter: ';', lineEnd: '\n' });
  expect(await csvHead('a,b', '')).toEqual({ columns: ['a', 'b'], delimiter: ',', lineEnd: '\r\n' });
  expect(await csvHead('a,\r1,2\r', '')).toEqual({ columns: ['a', 'column_2'], delimiter: ',', lineEnd: '\r' });
  expect(await csvHead('a, b, c\td', 'x.tsv')).toEqual({ columns: ['a, b, c', 'd'], delimiter: '\t', lineEnd: '\r\n' });
  expect(await csvHead('', '')).toEqual({ columns: [], delimiter: ',', lineEnd: '\r\n' });
});
