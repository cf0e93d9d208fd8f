import fc from 'fast-check';
import { expect, it } from 'vitest';
import { logName, logText, printableText } from './log-text.ts';

it('takes out of a short text what it takes out of one that is looked at closely in any case', () => {
  const piece = fc.constantFrom(
    'sk-',
    'rk_',
    'ghp_',
    'hf',
    'AKIA',
    'eyJ',
    'npm.',
    '.',
    '-',
    '_',
    ' ',
    '/',
    'token',
    'api_key',
    '"',
    '@',
    '//',
    '=',
    ':',
    '://',
    'a1',
    'aB3',
    'aB3aB3aB3aB3',
    'x'.repeat(9),
    '\u001b',
    '\u202e',
    '\u{e0041}',
    '\ud800',
    'é',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      expect(logText(text)).toBe(logText(`: ${text}`).slice(2));
    }),
    { numRuns: 5_000 },
  );
});

it.each([
  ['password: abc def', 'password: [redacted] def'],
  ['passphrase="abc"', 'passphrase="[redacted]"'],
  ['passwd=a', 'passwd=[redacted]'],
  ['SECRET = x', 'SECRET = [redacted]'],
  ["token: 'abc'", "token: '[redacted]'"],
  ['api_key=x/y', 'api_key=[redacted]/y'],
  ['Authorization: Bearer abc', 'Authorization: Bearer [redacted]'],
  ['authorization: basic abc', 'authorization: basic [redacted]'],
  ['https://me:pw@h/x', 'https://me:[redacted]@h/x'],
  ['x sk-abcdefghijklmnop1 y', 'x [redacted] y'],
  ['pk_abcdefghijklmno1', '[redacted]'],
  ['sk-abcdefghijklmnopq', 'sk-abcdefghijklmnopq'],
  ['ghp_abcdefghijklmnop', '[redacted]'],
  ['AKIAabcdefghijklmnop', '[redacted]'],
  ['eyJabcdefghij.abcdefghij.x', '[redacted]'],
  ['aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB', '[redacted]'],
  ['aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3a', 'aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3a'],
  ['0123456789abcdef0123456789abcdef01234567', '0123456789abcdef0123456789abcdef01234567'],
  ['a\u001b[1mb\u202e\u{e0041}\n', 'a\\u001b[1mb\\u202e\\udb40\\udc41\\u000a'],
  ['plain text', 'plain text'],
])('writes %j as %j', (text, written) => {
  expect(logText(text)).toBe(written);
});

it('cuts a text at the limit, and a secret across it as a whole', () => {
  expect(logText('x'.repeat(300))).toBe('x'.repeat(300));
  expect(logText(' '.repeat(301))).toBe(`${' '.repeat(300)}…`);
  expect(logText('abcdef', 5)).toBe('abcde…');
  expect(logText('a token=abcdef', 10)).toBe('a token=[r…');
});

it('caches names, and not those at the limit', () => {
  expect([logName('tool', 10), logName('tool', 10)]).toEqual(['tool', 'tool']);
  expect([logName('a long name', 5), logName('a long name', 20), logName('a long name', 5)]).toEqual([
    'a lon…',
    'a long name',
    'a lon…',
  ]);
  for (let n = 0; n < 300; n += 1) expect(logName(`n${n}`, 10)).toBe(`n${n}`);
});

it('escapes hidden characters only', () => {
  expect(printableText('é\u0000\u009f\u061c\u200b\u2028\u2060\ufeff\u{e007f}😀')).toBe(
    'é\\u0000\\u009f\\u061c\\u200b\\u2028\\u2060\\ufeff\\udb40\\udc7f😀',
  );
});
