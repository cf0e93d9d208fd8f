import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { refusalOf } from '../../../workspace/src/testing.ts';
import { existingDir, parseKeyRoot, parsePattern, parseUpstream } from './parse-values.ts';

describe('an upstream', () => {
  it('is a URL, with a prefix or a model before it', () => {
    expect(parseUpstream('https://a.example/v1', '--upstream')).toEqual({
      prefix: '',
      url: new URL('https://a.example/v1'),
    });
    expect(parseUpstream('/or/=http://a.example', '--upstream').prefix).toBe('/or');
    expect(parseUpstream('/=http://a.example', '--upstream').prefix).toBe('');
    const { model } = parseUpstream('model:gpt-*.5=https://a.example', '--upstream');
    for (const name of ['gpt-4.5', 'GPT-x.5', 'gpt-.5']) expect(model?.test(name), name).toBe(true);
    for (const name of ['gpt-4x5', 'my-gpt-4.5', 'gpt-4.5x']) expect(model?.test(name), name).toBe(false);
  });

  it.each([
    ['a.example', ': give a URL, such as https://api.openai.com, /prefix=URL or model:NAME=URL'],
    ['or=https://a.example', ': give a URL, such as https://api.openai.com, /prefix=URL or model:NAME=URL'],
    ['ftp://a.example', ': only http and https'],
    ['file:///etc/passwd', ': only http and https'],
    ['https://user@a.example', ': without a name, a query or a fragment; keys come with the requests'],
    ['https://:key@a.example', ': without a name, a query or a fragment; keys come with the requests'],
    ['https://a.example?key=1', ': without a name, a query or a fragment; keys come with the requests'],
    ['https://a.example#x', ': without a name, a query or a fragment; keys come with the requests'],
  ])('is refused: %s', (text, problem) => {
    expect(refusalOf(() => parseUpstream(text, '--upstream'))).toBe(`--upstream ${text}${problem}`);
  });
});

describe('the directory of a key', () => {
  it('belongs to the start of a SHA-256, and is its real path', () => {
    const dir = testDir();
    symlinkSync(dir, join(dir, 'alias'));
    expect(parseKeyRoot(`DEADBEEF=${dir}/alias`, '--key-root')).toEqual({ digest: 'deadbeef', root: dir });
    expect(parseKeyRoot(`${'a'.repeat(64)}=${dir}`, '--key-root').digest).toHaveLength(64);
  });

  it.each(['abcdef0=/', `${'a'.repeat(65)}=/`, 'abcdefgh=/', 'deadbeef=', 'deadbeef', '=/'])(
    'is refused: %s',
    (text) => {
      expect(refusalOf(() => parseKeyRoot(text, '--key-root'))).toContain(
        "give the start of the key's SHA-256 (8 digits or more), =, and a directory",
      );
    },
  );

  it('must exist', () => {
    const dir = testDir();
    writeFileSync(join(dir, 'f'), '');
    for (const path of [join(dir, 'missing'), join(dir, 'f')])
      expect(refusalOf(() => existingDir(path))).toBe(`Not a directory: ${path}`);
  });
});

it('reads a regular expression, or names the option that has a wrong one', () => {
  expect(parsePattern('^a+$', '--tools').test('aaa')).toBe(true);
  expect(refusalOf(() => parsePattern('a(', '--tools'))).toBe('--tools a(: not a regular expression');
});
