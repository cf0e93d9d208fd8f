import { describe, expect, it } from 'vitest';
import { readClause } from './clause.ts';

describe('a clause', () => {
  it('has its quoted texts, of every kind of quotes, and none for an apostrophe', () => {
    expect(readClause('Write "a b", ‘c’ “d” `e` and \'f\' into it').quoted).toEqual(['a b', 'd', 'e', 'f']);
    expect(readClause("Ann's file isn't here").quoted).toEqual([]);
    expect(readClause('Write "" there').quoted).toEqual(['']);
  });

  it('has addresses of pages and people, and reads no path in them', () => {
    const { urls, emails, paths } = readClause('Get https://a.test/x.txt, and mail it to ann.b@mail.test.');
    expect([urls, emails, paths]).toEqual([['https://a.test/x.txt'], ['ann.b@mail.test'], []]);
  });

  it('has paths and globs', () => {
    expect(readClause('Copy src/a.ts to notes.md.').paths).toEqual(['src/a.ts', 'notes.md']);
    expect(readClause('Read "my/file.txt"').paths).toEqual(['my/file.txt']);
    expect(readClause('List **/*.ts and src').globs).toEqual(['**/*.ts']);
    expect(readClause('List **/*.ts').paths).toEqual([]);
    expect(readClause('Compute 3.14').paths).toEqual([]);
  });

  it('has a directory that only its place in the sentence shows', () => {
    expect(readClause('list the folder src').paths).toEqual(['src']);
    expect(readClause('find notes in docs').paths).toEqual(['docs']);
    expect(readClause('find notes in the docs').paths).toEqual([]);
  });

  it('has numbers with the word after them', () => {
    expect(readClause('Show the first 20 lines of 3, and -4.5').numbers).toEqual([
      { value: 20, next: 'lines' },
      { value: 3, next: '' },
      { value: -4.5, next: '' },
    ]);
  });

  it('has an expression to compute, and none for a lone number', () => {
    expect(readClause('What is (2 + 3) * 4?').expression).toBe('(2 + 3) * 4');
    expect(readClause('What is 17').expression).toBeUndefined();
  });

  it('has ids, types and codes by their form', () => {
    const clause = readClause('Set the TextInput Box-a1b2c and convert USD to EUR');
    expect([clause.ids, clause.types, clause.codes]).toEqual([['Box-a1b2c'], ['TextInput'], ['USD', 'EUR']]);
  });

  it('has a link between two ends', () => {
    expect(readClause('Connect A-11111.out -> B-22222.in').link).toEqual(['A-11111', 'out', 'B-22222', 'in']);
    expect(readClause('Connect A to B').link).toBeUndefined();
  });

  it('has a field and the value to set', () => {
    expect(readClause('Set the temperature of Model to 0.5.').assignment).toEqual({
      field: 'temperature',
      value: '0.5',
    });
    expect(readClause('change title to "My flow"').assignment).toEqual({ field: 'title', value: 'My flow' });
    expect(readClause('run it').assignment).toBeUndefined();
  });

  it('has a text and the one in its place', () => {
    expect(readClause('Replace every "old" with "new" there').replacement).toEqual(['old', 'new']);
    expect(readClause("swap 'a' for 'b'").replacement).toEqual(['a', 'b']);
    expect(readClause('replace "a"').replacement).toBeUndefined();
  });

  it('says whether it refers to the result before', () => {
    expect([readClause('Save it').refersBack, readClause('Save the answer').refersBack]).toEqual([true, true]);
    expect([readClause('Save a file').refersBack, readClause('Say "it"').refersBack]).toEqual([false, false]);
  });

  it('leaves quoted texts, paths and ids out of the words that say what to do', () => {
    const { words } = readClause('Delete "all" in src/a.ts with Box-a1b2c');
    expect(words.split(/\s+/).filter(Boolean)).toEqual(['Delete', 'in', 'with']);
  });
});

it('takes no date for arithmetic', () => {
  expect(readClause('Today is 2026-11-29. You are an assistant.').expression).toBeUndefined();
  expect(readClause('on 2026-11-29 calculate 17 * 4').expression).toBe('17 * 4');
  expect(readClause('what is 2026-11?').expression).toBe('2026-11');
  expect(readClause('what is 2026 - 11 - 29?').expression).toBe('2026 - 11 - 29');
});
