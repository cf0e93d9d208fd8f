import fc from 'fast-check';
import { expect, it } from 'vitest';
import { logText } from './log-text.ts';

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
