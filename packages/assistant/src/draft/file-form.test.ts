import { builtinRegistry } from '@croft/components';
import { parseSpec } from '@croft/flow';
import { expect, it } from 'vitest';
import { fitsFile, misfitsIn, otherForm, portForFile } from './file-form.ts';
import { readRequest } from './request-parts.ts';

const registry = builtinRegistry();
const flow = parseSpec(
  'nodes:\n  R: ReadData\n  T: TypeConverterComponent\n  P: ParserComponent\n  H: HumanApproval\n  F: File\n  W: SaveToFile\n  V: SaveToFile\nedges:\n  R.dataframe -> T.input_data\n  R.dataframe -> P.input_data\n  T.message_output -> H.input\n  F.message -> W.input\n  R.dataframe -> V.input\nconfig:\n  W.file_name: a.json\n  V.file_name: b.json\n',
);
const at = (port: string) => ({ node: port.split('.')[0] ?? '', port: port.split('.')[1] ?? '' });
const portFor = (path: string, port: string, isOwnText = false) => {
  const from = portForFile(path, at(port), flow, { registry, isOwnText });
  return `${from.node}.${from.port}`;
};
const fits = (path: string, port: string, request = '') =>
  fitsFile(path, at(port), flow, { registry, parts: readRequest(request) });

it.each([
  ['a.json', 'T.message_output', 'T.dataframe_output'],
  ['a.TSV', 'T.message_output', 'T.dataframe_output'],
  ['a.txt', 'T.message_output', 'T.message_output'],
  ['a.json', 'T.data_output', 'T.data_output'],
  ['a.csv', 'P.parsed_text', 'R.dataframe'],
  ['a.csv', 'F.message', 'F.message'],
])('writes %s from the rows of %s where it needs rows', (path, shown, port) => {
  expect(portFor(path, shown)).toBe(port);
});

it('writes a text that the user chose as it is', () => {
  expect(portFor('a.csv', 'P.parsed_text', true)).toBe('P.parsed_text');
});

it.each([
  [
    'rows',
    'R.dataframe',
    ['a.json', 'a.csv', 'a.yml', 'a.md', 'a.txt', 'out/a'],
    ['a.html', 'a.xlsx', 'a.pdf', 'a.ini'],
  ],
  ['a text', 'F.message', ['a.md', 'a.csv', 'a.html', 'a'], ['a.json', 'a.yaml', 'a.docx']],
  ['a text after an approval', 'H.approved', ['a.md'], ['a.json']],
])('knows the endings for %s', (_, port, fitting, others) => {
  expect([...fitting, ...others].filter((path) => fits(path, port))).toEqual(fitting);
});

it('lets a text be JSON that comes from such a file, is asked for as JSON, or is the user’s own', () => {
  for (const request of ['read b.json', 'asks a model for JSON', 'shows `{"words": {words}}`'])
    expect(fits('a.json', 'F.message', request)).toBe(true);
  expect(fits('a.json', 'F.message', 'read b.yaml')).toBe(false);
});

it('finds the files of a flow that do not fit, and says which do', () => {
  expect(misfitsIn(flow, registry, readRequest('read it'))).toEqual(['a.json']);
  expect(otherForm([])).toBe('');
  expect(otherForm(['a.pdf', 'b.pdf'])).toMatch(/^“a\.pdf”, “b\.pdf” have another form\. A flow writes texts/);
});
