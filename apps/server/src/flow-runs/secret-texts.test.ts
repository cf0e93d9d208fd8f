import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTokenRedactor, redacted, spellingsOf, withoutSecrets } from './secret-texts.ts';

const SECRET = 'p"ss wörd/1234';

it('redacts a secret as it is, in JSON, in an address and in a header, at any depth', () => {
  const secrets = spellingsOf([SECRET, 'abc']);
  const basic = Buffer.from(SECRET).toString('base64');
  const shown = withoutSecrets(
    {
      a: [`x ${SECRET}`, { [SECRET]: encodeURIComponent(SECRET) }],
      b: JSON.stringify({ SECRET }),
      c: `Basic ${basic}`,
    },
    secrets,
  );
  expect(shown).toEqual({ a: ['x ***', { '***': '***' }], b: '{"SECRET":"***"}', c: 'Basic ***' });
  expect(redacted(`${SECRET} and ${SECRET}`, secrets)).toBe('*** and ***');
  // Three characters occur in ordinary text.
  expect(redacted('abc', secrets)).toBe('abc');
});

it('knows each spelling of a value of four characters or more', () => {
  expect([...spellingsOf(['a"b/', 'abc', ''])]).toEqual(['a"b/', 'a\\"b/', 'a%22b%2F', 'YSJiLw==']);
});

it('leaves values that are not texts as they are', () => {
  const secrets = new Set(['canary']);
  for (const value of [null, undefined, 5, true, []]) expect(withoutSecrets(value, secrets)).toEqual(value);
  expect(withoutSecrets('a canary', secrets)).toBe('a ***');
});

it('holds back only the end that can become a secret', () => {
  const stream = createTokenRedactor(new Set(['canary', 'nab']));
  expect([stream.add('my ca'), stream.add('n'), stream.add('c'), stream.add('anary!'), stream.end()]).toEqual([
    'my ',
    '',
    'can',
    '***!',
    '',
  ]);
  expect([stream.add('x na'), stream.end(), stream.end()]).toEqual(['x ', 'na', '']);
});

it('redacts a secret that arrives in any pieces, and returns every other text whole', () => {
  const secrets = spellingsOf([SECRET, 'ssss']);
  const text = `before ${SECRET} between p"ss wörd and ssss after p"ss wö`;
  const expected = redacted(text, secrets);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 }), (cuts) => {
      const at = [0, ...[...cuts].sort((a, b) => a - b), text.length];
      const stream = createTokenRedactor(secrets);
      const parts = at.slice(1).map((end, index) => stream.add(text.slice(at[index], end)));
      expect(parts.join('') + stream.end()).toBe(expected);
    }),
    { numRuns: 300 },
  );
});
