import { describe, expect, it } from 'vitest';
import { createSecretFilter, hideSecrets, hideSecretsIn } from './hide-secrets.ts';

const MARK = '***REDACTED***';
const NONE: ReadonlySet<string> = new Set();
/** Put together here, so that no scanner takes this file for a leak. */
const key = (...parts: readonly string[]) => parts.join('');

describe('a text without secrets', () => {
  it('has each secret of the user replaced, and keeps parts of words that a short one would match', () => {
    expect(hideSecrets('tulip-42 and tulip-42, not cat', new Set(['tulip-42', 'cat']))).toBe(
      `${MARK} and ${MARK}, not cat`,
    );
    expect(hideSecrets('cats and cat', new Set(['cats']))).toBe(`${MARK} and cat`);
  });

  it.each([
    ['an OpenAI key', key('sk', '-proj-abcdefghij_1234567')],
    ['a GitHub token', key('gh', 'p_', 'a1'.repeat(18))],
    ['a fine-grained GitHub token', key('github', '_pat_', 'a1'.repeat(18))],
    ['a GitLab token', key('gl', 'pat-', 'a1'.repeat(10))],
    ['a Slack token', key('xox', 'b-', '1234567890-abc')],
    ['an AWS key id', key('AK', 'IA', 'ABCDEFGHIJKLMNOP')],
    ['a Google key', key('AI', 'za', 'a1'.repeat(18))],
    ['a Groq key', key('gs', 'k_', 'a1'.repeat(18))],
    ['a Hugging Face token', key('h', 'f_', 'a1'.repeat(18))],
    ['a signed token', key('ey', 'JhbGciOiJI', '.', 'eyJzdWIiOiIx', '.', 'c2lnbmF0dXJl')],
    ['a private key', key('-----BEGIN EC PRIV', 'ATE KEY-----\nMHcC\n-----END EC PRIV', 'ATE KEY-----')],
  ])('has %s replaced that the user did not store', (_, secret) => {
    expect(hideSecrets(`before ${secret} after`, NONE)).toBe(`before ${MARK} after`);
  });

  it('stays as it is where nothing has the shape of a key', () => {
    const text = 'risk-free task-oriented eyJ -----BEGIN CERTIFICATE----- sk-short';
    expect(hideSecrets(text, NONE)).toBe(text);
  });
});

it('hides secrets in keys, in texts at any depth, and where JSON spells them in another way', () => {
  const secrets = new Set(['tu"lip\n42', 'granite']);
  expect(hideSecretsIn({ granite: ['a tu"lip\n42'], n: 1 }, secrets)).toEqual({ [MARK]: [`a ${MARK}`], n: 1 });
  expect(hideSecretsIn(['a tu"lip\n42'], secrets)).toEqual([`a ${MARK}`]);
  const harmless = { a: ['b'] };
  expect(hideSecretsIn(harmless, NONE)).toBe(harmless);
});

describe('a text that comes in pieces', () => {
  const shownOf = (pieces: readonly string[], secrets = NONE) => {
    const filter = createSecretFilter(secrets);
    return [...pieces.map((piece) => filter.add(piece)), filter.end()];
  };

  it.each([
    ['a secret of the user with spaces', 'blue tulip field'],
    ['a key', key('sk', '-abcdefghij0123456789-abcdefghij')],
    ['a signed token', key('ey', 'JhbGciOiJI', '.', 'eyJzdWIiOiIx', '.', 'c2lnbmF0dXJl')],
    ['a private key', key('-----BEGIN EC PRIV', 'ATE KEY-----\nMHcC\nAQEE\n-----END EC PRIV', 'ATE KEY-----')],
  ])('shows nothing of %s, whatever the pieces are', (_, secret) => {
    const text = `before ${secret}, ${secret} after`;
    for (let size = 1; size <= text.length; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_each, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      const shown = shownOf(pieces, new Set(['blue tulip field'])).join('');
      expect(shown, `pieces of ${size}`).toBe(`before ${MARK}, ${MARK} after`);
    }
  });

  it('shows nothing of a private key that contains other blocks', () => {
    const [begin, end] = [key('-----BEGIN PRIV', 'ATE KEY-----'), key('-----END PRIV', 'ATE KEY-----')];
    const certificate = '-----BEGIN CERTIFICATE-----\ninner\n-----END CERTIFICATE-----';
    const text = `see ${begin}\nMHcC\n${certificate}\n${begin}\nAQEE\n${end} after`;
    for (let size = 1; size <= text.length; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_each, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      expect(shownOf(pieces).join(''), `pieces of ${size}`).toBe(`see ${MARK} after`);
    }
  });

  it('shows what follows a secret of the user', () => {
    expect(shownOf(['granite', 's here'], new Set(['granite'])).join('')).toBe(`${MARK}s here`);
  });

  it('shows the whole text that follows an end after a key', () => {
    const filter = createSecretFilter(new Set());
    const shown = [filter.add('It is '), filter.add(key('sk-', 'abcdefghijklmnop1234')), filter.end()];
    expect([...shown, filter.add('Done.'), filter.end()].join('')).toBe(`It is ${MARK}Done.`);
  });

  it('shows no private key without a last line', () => {
    const begun = key('-----BEGIN PRIV', 'ATE KEY-----');
    expect(shownOf(['see ', begun, '\nMHcC\n', 'AQEE']).join('')).toBe(`see ${MARK}`);
  });

  it('goes on after a word that is longer than any key', () => {
    const [shown] = shownOf(['a'.repeat(10_000)]);
    expect(shown).toHaveLength(6_000);
  });

  it('goes on after a block that is longer than any private key', () => {
    const block = `-----BEGIN CERTIFICATE-----\n${'a b '.repeat(6_000)}`;
    expect(shownOf([block, 'end'])[0]).toBe(block);
    const begun = key('-----BEGIN PRIV', 'ATE KEY-----');
    const held = (length: number) => (shownOf([begun + ' '.repeat(length - begun.length)])[0] ?? '').length;
    expect([held(20_000), held(20_001)]).toEqual([0, MARK.length]);
  });
});
