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
