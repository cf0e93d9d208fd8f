import { createRegistry, type Descriptor, type Field } from '@croft/flow';
import { expect, it } from 'vitest';
import { READER, sourceFor } from './source.ts';

const FILE: Field = { name: 'path', label: 'File', kind: 'file' };
const reader = (
  type: string,
  gives: Descriptor['outputs'][number]['types'],
  keywords?: string[],
  fields = [FILE],
): { descriptor: Descriptor } => ({
  descriptor: {
    type,
    label: type,
    description: '',
    category: 'files',
    effects: [],
    fields,
    outputs: [{ name: 'out', label: 'Out', types: gives }],
    ...(keywords && { keywords }),
  },
});
const TEXT = reader(READER, ['Message']);
const CSV = reader('Csv', ['Table'], ['csv']);
const WRITER = reader('CsvWriter', ['Table'], ['csv'], [{ ...FILE, kind: 'text' }]);
const PAGE = reader('URLComponent', ['Message'], undefined, []);
const registry = createRegistry([TEXT, WRITER, CSV, PAGE]);
const source = (
  paths: string[],
  urls: string[] = [],
  takes?: Descriptor['outputs'][number]['types'],
  among = registry,
) => {
  const found = sourceFor({ paths, urls }, among, takes);
  return found && [found.descriptor.type, found.config];
};

it('reads the first file by its ending, in small letters, before an address', () => {
  expect(source(['a.b.CSV', 'b.md'], ['https://example.com'])).toEqual(['Csv', { path: 'a.b.CSV' }]);
});

it('reads other files as text', () => {
  expect(source(['a.md'])).toEqual([READER, { path: 'a.md' }]);
  expect(source(['csv.md'])).toEqual([READER, { path: 'csv.md' }]);
});

it('reads a file as text where the next step takes no type of its reader', () => {
  expect(source(['a.csv'], [], ['Message'])).toEqual([READER, { path: 'a.csv' }]);
  expect(source(['a.csv'], [], ['Table'])).toEqual(['Csv', { path: 'a.csv' }]);
});

it('reads the first address if the request names no file', () => {
  expect(source([], ['https://example.com', 'https://example.org'])).toEqual([
    'URLComponent',
    { urls: 'https://example.com' },
  ]);
});

it('finds nothing without a file, an address, or their components', () => {
  expect(source([])).toBeUndefined();
  expect(source([], ['https://example.com'], undefined, createRegistry([TEXT]))).toBeUndefined();
  expect(source(['a.md'], ['https://example.com'], undefined, createRegistry([CSV, PAGE]))).toBeUndefined();
});
