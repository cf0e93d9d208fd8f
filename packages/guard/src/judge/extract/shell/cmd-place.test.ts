import { expect, it } from 'vitest';
import { cmdPlace } from './cmd-place.ts';
import { ANY, ATOM, GLOB, HOME } from './marks.ts';

const shown = (text: string): string =>
  cmdPlace(text, 'here', 'now')
    .value.replaceAll(ANY, '?')
    .replaceAll(ATOM, '#')
    .replaceAll(HOME, '~')
    .replaceAll(GLOB, '!');

it.each<readonly [string, string]>([
  ...['%USERPROFILE%', '%HomePath%', '%home%', '!userprofile!'].map((text) => [text, '~'] as const),
  ...['%APPDATA%', '%LocalAppData%'].map((text) => [text, '~/.config'] as const),
  ...['%TEMP%', '%tmp%'].map((text) => [text, '/tmp'] as const),
  ...['windir', 'systemroot', 'programfiles', 'programdata', 'systemdrive', 'public', 'allusersprofile'].map(
    (name) => [`%${name}%`, 'C:/Windows'] as const,
  ),
  ['%ProgramFiles(x86)%', 'C:/Windows'],
  ['%cd%', 'here'],
  ['!CD!', 'now'],
  ...['random', 'date', 'time'].map((name) => [`%${name}%`, '#'] as const),
  ['%x%', '?'],
  ['%my-x y%', '?'],
  ['!x-y!', '?'],
  ['%cd:~0,3%b', '?b'],
  ['%temp:a=b%', '?'],
  ['%1', '?'],
  ['%~dp0..\\b', '?'],
  ['%*', '?'],
  ['a%temp%b%x%c', 'a/tmpb?c'],
])('expands %s to %s', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

it.each([
  ['a\\b\\c', 'a/b/c'],
  ['C:\\a\\b', 'C:\\a\\b'],
  ['\\a\\b', '\\a\\b'],
  ['a/b', 'a/b'],
  ['a*b?', 'a!*b!?'],
  ['100%', '100%'],
  ['hello!', 'hello!'],
])('reads the path %s as %s', (text, expected) => {
  expect(shown(text)).toBe(expected);
  expect(cmdPlace(text, 'here').written).toBe(text);
});

it('takes the directory of the line for the current one without another', () => {
  expect(cmdPlace('!cd!', 'here').value).toBe('here');
});
