import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { runNode, textsOf, declaredBy } from '../testing.ts';
import { readData } from './read-data.ts';

const { dir, workspace } = useWorkspace();

describe('ReadData', () => {
  const read = (config: Readonly<Record<string, unknown>>, output = 'dataframe') =>
    runNode({ type: 'ReadData', output, config, services: { workspace } });

  it.each([
    ['a.csv', '\ufeffname;n\n"A; B";1\n', [{ name: 'A; B', n: '1' }]],
    ['a.tsv', 'x\ty\n1\t2\n', [{ x: '1', y: '2' }]],
    ['a.json', '[{"n":1}]', [{ n: 1 }]],
    ['a.jsonl', '{"n":1}\n{"n":2}\n', [{ n: 1 }, { n: 2 }]],
    ['a.yml', '# rows\n- n: 1\n- n: 2\n', [{ n: 1 }, { n: 2 }]],
  ])('reads %s', async (path, content, rows) => {
    writeFileSync(join(dir, path), content);
    expect((await read({ path })).value).toEqual(rows);
  });

  it('guesses the format of a text', async () => {
    expect((await read({ source: 'Text', text: 'a: 1\nb: [x]' }, 'data')).value).toEqual({ a: 1, b: ['x'] });
    expect((await read({ source: 'Text', text: ' [{"a":1},{"a":2}]' })).value).toEqual([{ a: 1 }, { a: 2 }]);
    expect((await read({ source: 'Text', text: 'a,b\n1,2' })).value).toEqual([{ a: '1', b: '2' }]);
  });

  it('reads lines of CSV that end in different ways', async () => {
    const text = 'a,b\n1,"x"\r\n2,y\r\n3,z';
    writeFileSync(join(dir, 'mixed.csv'), text);
    const rows = [
      { a: '1', b: 'x' },
      { a: '2', b: 'y' },
      { a: '3', b: 'z' },
    ];
    expect((await read({ path: 'mixed.csv' })).value).toEqual(rows);
    writeFileSync(join(dir, 'old-mac.csv'), 'a,b\r1,x\r2,y\r3,z\r');
    expect((await read({ path: 'old-mac.csv' })).value).toEqual(rows);
  });

  it('gives no rows for a file that is not there yet, only where that is allowed', async () => {
    expect((await read({ path: 'later.csv', allow_missing: true })).value).toEqual([]);
    expect((await read({ path: 'later.csv' })).failure?.message).toContain('later.csv');
    expect((await read({ path: '../later.csv', allow_missing: true })).failure).toBeDefined();
  });

  it('names the file and the fault', async () => {
    writeFileSync(join(dir, 'broken.json'), '{"a":');
    expect((await read({ path: 'broken.json' })).failure?.message).toMatch(/^'broken.json' is not valid JSON: /);
  });

  it('refuses aliases that expand without bound', async () => {
    const levels = Array.from({ length: 12 }, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(9)}*l${at}]`);
    const text = ['l0: &l0 [x]', ...levels].join('\n');
    expect((await read({ source: 'Text', format: 'yaml', text })).failure?.message).toContain('alias');
  });
});

it('declares its effects and ports', () => {
  expect(declaredBy(readData)).toEqual([
    'ReadData: workspace-read',
    'source: select default="File" of File|Text',
    'path: file File Message required toolParameter if source File',
    'allow_missing: switch advanced default=false if source File',
    'text: multiline Message required variables=false if source Text',
    'format: select default="auto" of auto|csv|json|yaml',
    'delimiter: text advanced default="" variables=false',
    'dataframe: gives Table',
    'data: gives Data',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(readData.descriptor)).toEqual([
    'CSV, JSON, YAML (table): Reads records from CSV, JSON, JSON lines or YAML: from a file of the workspace or from a text.',
    'data | csv | tsv | json | jsonl | yaml | parse | open | load | take | CSVtoData | JSONtoData | LoadCSV | LoadJSON',
    'source: Source',
    'path: File',
    'allow_missing: No rows without the file | Gives no rows while the file does not exist, such as before a flow writes it for the first time.',
    'text: Text',
    'format: Format | auto: by the name of the file, else by the text.',
    'delimiter: Delimiter of CSV | Empty: comma, semicolon or tab, whichever the first line has most.',
    'dataframe: Rows',
    'data: Data',
  ]);
});
