import { describe, expect, it } from 'vitest';
import type { KeyMeaning } from './argument-keys.ts';
import type { Candidate, Found } from './findings.ts';
import { visitOption, visitPath } from './text-findings.ts';

function findings() {
  const found = {
    candidates: new Map<string, Candidate>(),
    patches: [],
    texts: [],
    outputs: new Map(),
    hasBody: false,
    undecidable: undefined,
  } as unknown as Found;
  const shown = () => [...found.candidates.values()].map(({ written, weight, role }) => `${written} ${weight} ${role}`);
  return { found, shown };
}
const visit = (text: string, meaning: KeyMeaning, inherited = false) => {
  const { found, shown } = findings();
  visitPath(found, text, { meaning, inherited });
  return { ...found, shown: shown() };
};

describe('a text by the meaning of its key', () => {
  it.each([
    ['path', 'a.txt path plain'],
    ['base', 'a.txt path base'],
    ['output', 'a.txt path output'],
    ['goal', 'a.txt path output'],
    ['loose', 'a.txt loose plain'],
    ['aim', 'a.txt loose plain'],
    ['other', 'a.txt guess plain'],
    ['arguments', 'a.txt guess plain'],
  ] as const)('%s: %s', (meaning, expected) => {
    expect(visit('a.txt', meaning).shown).toEqual([expected]);
  });

  it('is a place where the tool writes, for certain or probably', () => {
    expect(visit('a', 'output').outputs.get('a')).toBe('certain');
    expect(visit('a', 'goal').outputs.get('a')).toBe('likely');
    expect(visit('a', 'path').outputs.size).toBe(0);
  });

  it('is an unsure path with a line break below a key of paths', () => {
    expect([visit('a\nb', 'path', true).shown, visit('a\nb', 'path').shown]).toEqual([
      ['a\nb loose plain'],
      ['a\nb path plain'],
    ]);
  });

  it('is an address that is fetched, unless it climbs', () => {
    expect(visit('https://a.example/x', 'path').shown).toEqual([]);
    expect(visit('https://../../x', 'path').shown).toEqual(['https://../../x path plain']);
    expect(visit('https://a/%2e%2e/x', 'path').shown).toHaveLength(1);
  });

  it('is a path or a text, by its length and its lines', () => {
    for (const [text, meaning, shown, texts, patches] of [
      ['x'.repeat(4_096), 'other', `${'x'.repeat(4_096)} guess plain`, [], []],
      ['x'.repeat(4_097), 'other', undefined, ['x'.repeat(4_097)], []],
      ['a\nb', 'other', undefined, ['a\nb'], []],
      ['', 'other', undefined, [], []],
      ['a\nb', 'arguments', undefined, ['a\nb'], ['a\nb']],
      ['a', 'arguments', 'a guess plain', ['a'], []],
      ['a\nb', 'base', 'a\nb loose base', [], []],
      ['a\nb', 'output', 'a\nb loose output', [], []],
      ['a\nb', 'loose', 'a\nb loose plain', [], []],
      ['a\nb', 'path', 'a\nb path plain', [], []],
    ] as const) {
      const found = visit(text, meaning);
      expect([found.shown, found.texts, found.patches], text.slice(0, 9)).toEqual([
        shown === undefined ? [] : [shown],
        texts,
        patches,
      ]);
    }
  });

  it('is surely written if one of its keys says so', () => {
    const { found } = findings();
    for (const meaning of ['output', 'goal', 'aim'] as const) visitPath(found, 'a', { meaning, inherited: false });
    visitPath(found, 'b', { meaning: 'aim', inherited: false });
    visitPath(found, 'c', { meaning: 'base', inherited: false });
    expect([...found.outputs]).toEqual([
      ['a', 'certain'],
      ['b', 'likely'],
    ]);
  });

  it('is a patch where it begins as one', () => {
    for (const text of ['*** Begin Patch\nx', 'diff --git a b\nx', '--- a/x\n+++ b/x', '```diff\n--- a/x\n'])
      expect(visit(text, 'other').patches, text).toEqual([text]);
    const content = visit('text\n--- a/x', 'other');
    expect([content.patches, content.texts, content.shown]).toEqual([[], ['text\n--- a/x'], []]);
  });

  it('has the paths of its tags, and none inside of content', () => {
    const tagged = visit(
      '<file><path> a.txt </path><content><path>no.txt</path></content><file_path>b.txt</file_path></file>',
      'other',
    );
    expect([tagged.shown.slice(0, 2), tagged.hasBody]).toEqual([['a.txt path plain', 'b.txt path plain'], true]);
    expect(visit('<path>a.txt</path>', 'other').hasBody).toBe(false);
  });
});

describe('a value that is an option', () => {
  const option = (text: string, meaning: KeyMeaning = 'other', key = 'flag') => {
    const { found, shown } = findings();
    visitOption(found, text, meaning, key);
    return { ...found, shown: shown() };
  };

  it('writes to the place that it names', () => {
    for (const text of ['--output=/etc/x', '--save-to /etc/x', '-o /etc/x', '-o/etc/x'])
      expect(option(text).shown, text).toEqual(['/etc/x path output']);
    expect([option('--verbose').shown, option('output=/x').shown, option('--output=/x', 'body').shown]).toEqual([
      [],
      [],
      [],
    ]);
    expect(option('--output=/x', 'other', 'message').shown).toEqual([]);
    expect(option('--output=/x', 'content').shown).toEqual([]);
  });

  it('may name a program', () => {
    expect(option(` --upload-pack=${'x'.repeat(30)}`).undecidable).toBe(
      `'--upload-pack=${'x'.repeat(26)}' is an option that names a program`,
    );
    expect(option("COPY t TO '/x'", 'other', 'sql').undecidable).toBe(
      'The statement makes a database write a file or run a program',
    );
    expect(option('--upload').undecidable).toBeUndefined();
  });

  it('or a statement may write a file', () => {
    const sql = (text: string, key = 'query') => option(text, 'other', key).undecidable !== undefined;
    expect([
      sql("COPY t TO '/x'"),
      sql('-- c\nselect 1 into outfile'),
      sql("ATTACH DATABASE 'x'"),
      sql("copy t from program 'x'"),
    ]).toEqual([true, true, true, true]);
    expect([
      sql('select 1'),
      sql('copy t to stdout'),
      sql("COPY t TO '/x'", 'text'),
      sql('outfile into outfile'),
    ]).toEqual([false, false, false, false]);
  });
});
