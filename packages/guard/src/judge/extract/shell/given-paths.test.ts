import { describe, expect, it } from 'vitest';
import { onlyReads } from './given-paths.ts';
import { outcome, read } from './testing.ts';

const given = (command: string) => read(command).given.map(({ path }) => path);

describe('the words of an unknown program', () => {
  it.each([
    ['unknown ../a', ['../a']],
    ['unknown a', ['a']],
    ['unknown --out=../a', ['../a']],
    ['unknown a=../b', ['a=../b', '../b']],
    ['unknown x:../b', ['x:../b', '../b']],
    ['unknown u@../b', ['u@../b', '../b']],
    ['unknown a,../b', ['a,../b', '../b']],
    ['unknown file:///x', ['/x']],
    ['unknown https://h/x', []],
    ['unknown //h/x', []],
    ['unknown /dev/null', []],
    ['unknown -m "see ../a b"', []],
    ['unknown --title "../a b"', []],
    ['unknown -x "../a b"', ['../a b']],
    ['unknown "a b"', []],
    ["unknown '../a\nb'", []],
    ['shellcheck ../a', []],
  ])('may be paths: %s', (command, expected) => {
    expect(given(command)).toEqual(expected);
  });

  it('are joined to the letters of an option', () => {
    expect(given('unknown -o../a')).toContain('../a');
    expect(given('unknown -V9../a')).toContain('../a');
    expect(given('unknown -xf../a')).toContain('../a');
  });

  it('are at most forty plain ones, and as long as a path can be', () => {
    const many = Array.from({ length: 60 }, (_, at) => `w${at}`).join(' ');
    expect(given(`unknown ${many}`)).toHaveLength(40);
    expect(given(`unknown ${many} ../a`)).toContain('../a');
    expect(given(`unknown /${'x'.repeat(4_999)}`)).toHaveLength(1);
    expect(given(`unknown /${'x'.repeat(5_000)}`)).toEqual([]);
    expect(given(`unknown '/ ${'x'.repeat(998)}'`)).toHaveLength(1);
    expect(given(`unknown '/ ${'x'.repeat(999)}'`)).toEqual([]);
  });

  it('come with its directory, if it has left the project root', () => {
    expect(given('cd src && unknown')).toEqual(['src']);
    expect(given('cd src && nm x')).toEqual([]);
    expect(given('unknown')).toEqual([]);
  });
});

describe('the option values of a known command', () => {
  it.each([
    ['cp --foo=../x a b', ['../x']],
    ['tar --log-file ../x -cf a.tar b', ['../x']],
    ['cp --foo=1.5 a b', []],
    ['cp -o ../x a b', []],
    ['curl --in-file ../x https://h', []],
    ['sort --include ../x a', []],
    ['cp --exclude=../x a b', []],
    ['cut -F/ a', []],
  ])('may be paths: %s', (command, expected) => {
    expect(given(command)).toEqual(expected);
  });
});

it('knows programs that write nothing', () => {
  expect(['nm', 'sha256sum', 'yamllint', 'unknown', 'nmx'].map(onlyReads)).toEqual([true, true, true, false, false]);
});

it.each([
  ['unknown /a', '(/a)'],
  ['unknown ../a b', '(../a) (b)'],
  ['unknown a.txt', '(a.txt)'],
  ['unknown --x=/a', '(/a)'],
  ['unknown --x=a,/b:/c', '(/b:/c) (/b) (/c)'],
  ['unknown -x/a', '(/a) (-x/a)'],
  ['unknown -xy/a', '(/a) (y/a) (-xy/a)'],
  ['unknown -V9/a', '(9/a) (/a) (-V9/a)'],
  ['unknown x=/a', '(x=/a) (/a)'],
  ['unknown x:/a', '(x:/a) (/a)'],
  ['unknown user@/a', '(user@/a) (/a)'],
  ['unknown https://h/a', ''],
  ['unknown file:///a', '(/a)'],
  ['unknown --x=file:///a', '(/a)'],
  ['unknown //a', ''],
  ['unknown ~/a', '(~/a)'],
  ['unknown "$X"', ''],
  ['unknown "a b"', ''],
  ['unknown "/a b"', '(/a b)'],
  ['unknown -m "/a b"', ''],
  ['unknown -m /a', '(/a)'],
  ['unknown --message "/a b"', ''],
  ['unknown C:/a', '(C:/a) (/a)'],
  ['unknown /dev/null', ''],
  ['unknown a=..', '(a=..) (..)'],
  ['unknown a=..b', '(a=..b)'],
  ['nm /a', ''],
  ['sha3sum /a', ''],
  ['shellcheck /a', ''],
  ['cd src; unknown x', '(src/x) (src)'],
  ['cd src; nm x', ''],
  ['gcc --include /a b.c', '(/a)'],
  ['gcc --out-thing /a b.c', '(/a)'],
  ['tar -cf a.tar --unknown-file /a', 'a.tar </a'],
  ['tar -cf a.tar --unknown /a', 'a.tar </a'],
  ['tar -cf a.tar --unknown=/a', 'a.tar (/a)'],
  ['tar -cf a.tar --exclude-x=/a', 'a.tar'],
  ['curl --unknown-path /a https://h', '(/a)'],
  ['curl --unknown x=/a https://h', '(/a)'],
  ['curl --ca-file /a https://h', ''],
  ['curl --unknown-file=file:///a https://h', '(/a)'],
  ['curl --output /x/out https://h', '/x/out'],
])('given paths: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});

it('does not give words that are longer than any path or text', () => {
  const words = (length: number, char: string) => `/${char.repeat(length - 1)}`;
  for (const program of ['unknown', 'curl --unknown-path'])
    expect(
      [words(5_000, 'a'), words(5_001, 'a'), `'${words(1_000, ' ')}'`, `'${words(1_001, ' ')}'`].map(
        (word) => given(`${program} ${word}`).length,
      ),
      program,
    ).toEqual([1, 0, 1, 0]);
});
