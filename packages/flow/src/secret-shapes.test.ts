import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../../tests/support/yardstick.ts';
import { emptyFlow } from './document.ts';
import { redactFlow } from './redact-flow.ts';
import { createRegistry } from './registry.ts';
import { replacePrivateKeys, replaceSignedTokens } from './secret-shapes.ts';

const KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]{0,20000}?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const TOKEN = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;
const MARK = '[removed]';
const [BEGIN, END] = ['-----BEGIN RSA PRIVATE KEY-----', '-----END RSA PRIVATE KEY-----'];

const textOf = (...pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));

describe('a secret with a shape', () => {
  it('is replaced as its regular expression says: private keys', () => {
    const far = 'x'.repeat(12_000);
    fc.assert(
      fc.property(textOf(BEGIN, END, far, '-----BEGIN PRIVATE KEY-----', 'a'), (text) => {
        expect(replacePrivateKeys(text, MARK)).toBe(text.replace(KEY, MARK));
      }),
      { numRuns: 500 },
    );
  });

  it('is replaced as its regular expression says: signed tokens', () => {
    fc.assert(
      fc.property(textOf('eyJ', 'aaaaa', '-', '.', ' ', 'bbbbbbbb'), (text) => {
        expect(replaceSignedTokens(text, MARK)).toBe(text.replace(TOKEN, MARK));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['first lines of private keys', 'cookie', '-----BEGIN PRIVATE KEY-----', 'x'.repeat(30_000)],
    ['beginnings of signed tokens', 'cookie', '-eyJaaaaaaaa', ''],
    ['spaces after the name of a header', 'cookie', ' ', 'x'],
    ['spaces after the quoted name of a header', '"cookie"', ' ', 'x'],
    ['spaces after a header', 'cookie:', ' ', '"'],
    ['spaces after the quote of a header', 'cookie:"', ' ', '"'],
    ['names of headers', '', 'cookie ', ''],
  ])('is searched in time in proportion to the text: %s', async (_, start, piece, end) => {
    const text = `${start}${piece.repeat(Math.ceil(400_000 / piece.length))}${end}`;
    const flow = { ...emptyFlow('x'), description: text };
    const redact = () => redactFlow(flow, { registry: createRegistry([]), variables: new Set() });
    expect(redact().removed).toEqual([]);
    await expect.poll(() => costOf(redact)).toBeLessThan(50);
  });

  it('is searched in texts of any length', () => {
    const text = `a${'-eyJaaaaaaaa'.repeat(600_000)}`;
    expect(replaceSignedTokens(text, MARK)).toBe(text);
  });
});
