import { describe, expect, it } from 'vitest';
import { readRequest, withGaps, wordsIn } from './request-parts.ts';

const clauses = (request: string) => readRequest(request).clauses.map(({ text }) => text);

describe('a request', () => {
  it('is split at commas, "and", "then", and before what a person decides', () => {
    expect(clauses('reads notes.md, translates it and then saves it')).toEqual([
      'reads notes.md',
      'translates it',
      'saves it',
    ]);
    expect(clauses('asks me before it writes out.txt')).toEqual(['asks me', 'it writes out.txt']);
    expect(clauses('saves it only after I approve')).toEqual(['saves it', 'I approve']);
    expect(clauses('counts "this, and that" in a.txt')).toEqual(['counts "this, and that" in a.txt']);
  });

  it('names the files that it reads and those that it writes', () => {
    const files = (request: string) => {
      const { paths, targets } = readRequest(request);
      return `${paths.join(' ')} > ${targets.join(' ')}`;
    };
    expect(files('read docs/a.md and save the result to out/b.txt')).toBe('docs/a.md > out/b.txt');
    expect(files('copy a.md to b.md')).toBe('a.md > b.md');
    expect(files('write a summary of a.csv')).toBe('a.csv > ');
    expect(files('save it in a new file called b.json')).toBe(' > b.json');
    expect(files('write to ann@example.com about v1.2')).toBe(' > ');
  });

  it('has the values with a form of their own', () => {
    const parts = readRequest(
      'every morning at 8 fetch https://a.example/x?y=1, and keep lines with the word ERROR in logs/ of .txt files',
    );
    expect(parts.schedule).toBe('every morning at 8');
    expect([parts.urls, parts.quoted, parts.places]).toEqual([
      ['https://a.example/x?y=1'],
      ['ERROR'],
      ['logs/', '.txt'],
    ]);
    expect(readRequest('show "{words} words" of "x"')).toMatchObject({ pattern: '{words} words', quoted: ['x'] });
    expect(readRequest('reads `a.md`').paths).toEqual(['a.md']);
    expect(readRequest("don't sort the day's rows").quoted).toEqual([]);
  });

  it('puts values back into its clauses', () => {
    const parts = readRequest('read a.md and say "hi"');
    expect(parts.clauses.map(({ masked }) => parts.unmask(masked))).toEqual(['read a.md', 'say "hi"']);
    expect(parts.clauses[0]?.masked).not.toContain('a.md');
    expect([...parts.words].some((word) => word.includes('a.md'))).toBe(false);
  });

  it('has nothing where it says nothing', () => {
    expect(readRequest(' , and ')).toMatchObject({ clauses: [], paths: [], schedule: undefined, pattern: undefined });
  });
});

it('knows the word for what a person writes later', () => {
  expect(wordsIn('translate what I type')).toEqual(wordsIn('translate message'));
  expect(withGaps('N words and N lines')).toBe('{words} words and {lines} lines');
});

it('keeps the places of values in masked clauses, and no word of them', () => {
  const { clauses: found, words } = readRequest(' read a.md , fetch https://a.example and say "hi" ');
  expect(found.map(({ masked }) => masked)).toEqual(['read \uE0002\uE001', 'fetch \uE0001\uE001', 'say \uE0000\uE001']);
  expect(found.map(({ text }) => text)).toEqual(['read a.md', 'fetch https://a.example', 'say "hi"']);
  expect(found.map((each) => each.words.join(' '))).toEqual(['read', 'fetch', 'say']);
  expect([...words]).toEqual(['read', 'fetch', 'say']);
  expect(readRequest('sum{a.md}up').clauses.map((each) => each.words)).toEqual([wordsIn('sum up')]);
});

it('keeps a list with “or” in its clause, and breaks at other commas', () => {
  const clauses = (request: string) => readRequest(request).clauses.map(({ text }) => text);
  expect(clauses('read a.csv, keep rows where city is Oslo, "New York", or Rome, sort it')).toEqual([
    'read a.csv',
    'keep rows where city is Oslo, "New York", or Rome',
    'sort it',
  ]);
  expect(clauses('read a.csv, show a or b')).toEqual(['read a.csv', 'show a or b']);
});
