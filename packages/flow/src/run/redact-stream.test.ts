import { expect, it } from 'vitest';
import { redactText } from './preview.ts';
import { RedactedStream } from './redact-stream.ts';

const SECRETS = new Set(['hunter2', 'terrapin', 'abcd', 'cdef', 'abc']);
const TEXTS = [
  'the password is hunter2, not hunter3',
  'hunter2hunter2',
  'huntehunter2r2',
  'hunterrapin and hunter2terrapin',
  'abcdef abcd cdefabcd',
  'a key sk-abcdefgh12 and a Bearer 12345678abcdef, then a token',
  'sk-short, monkey-business, hockey stadiums',
  'ends with hunter',
  'ends with sk-1234567',
];

it.each(TEXTS)('gives the same as the whole text, however it is divided: %s', (text) => {
  for (let size = 1; size <= text.length; size++) {
    const stream = new RedactedStream(SECRETS);
    let shown = '';
    for (let at = 0; at < text.length; at += size) shown += stream.add(text.slice(at, at + size));
    expect([size, shown + stream.end()]).toEqual([size, redactText(text, SECRETS)]);
  }
});

it('holds only what may be a part of a secret', () => {
  const stream = new RedactedStream(SECRETS);
  const shown = [stream.add('no secret here. A'), stream.add('hunt'), stream.add(' on')];
  expect(shown).toEqual(['no secret here. ', '', 'Ahunt ']);
});

it('goes on after a long text that looks like a key', () => {
  const stream = new RedactedStream();
  expect(stream.add(`sk-${'x'.repeat(5_000)}`)).toBe('sk-***');
});
