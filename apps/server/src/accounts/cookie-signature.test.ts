import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { signedToken, withCurrentSignature } from './cookie-signature.ts';

const OLD = 'the key this server had before, 32+';
const NEW = 'the key this server has from now on';

const signed = (key: string, token = 'token') =>
  `s=${encodeURIComponent(`${token}.${createHmac('sha256', key).update(token).digest('base64')}`)}`;

it('reads the token of a cookie that a known key signed, and of no other', () => {
  for (const key of [OLD, NEW]) expect(signedToken(`a=1; ${signed(key, 'a.b')}`, 's', [NEW, OLD])).toBe('a.b');
  const others = [
    '',
    's=',
    's=%',
    's=token',
    's=token.',
    signed('another key'),
    signed(NEW, ''),
    `${signed(NEW)}; ${signed(NEW)}`,
  ];
  for (const header of others) expect(signedToken(header, 's', [NEW, OLD]), header).toBeUndefined();
  expect(signedToken(signed(NEW), 't', [NEW])).toBeUndefined();
  expect(signedToken(signed(NEW), 's', [])).toBeUndefined();
});

it('signs a session of the old key again, and no other cookie', () => {
  expect(withCurrentSignature(signed(OLD), 's', [NEW, OLD])).toBe(signed(NEW));
  expect(withCurrentSignature(`a=1; ${signed(OLD)}`, 's', [NEW, OLD])).toBe(signed(NEW));
  const forged = signed('made up by somebody who has no key');
  const others = [
    signed(NEW),
    forged,
    signed(OLD).replace('token', 'other'),
    's=%',
    's=',
    's=.x',
    's=x',
    signed(OLD, ''),
    signed(OLD).replace('s=', 't='),
    `${forged}; ${forged}`,
  ];
  expect(withCurrentSignature(signed(OLD), 's', [NEW, 'another key, 32 characters or more', OLD])).toBe(signed(NEW));
  expect(withCurrentSignature(signed(OLD, 'a.b'), 's', [NEW, OLD])).toBe(signed(NEW, 'a.b'));
  for (const header of others) expect(withCurrentSignature(header, 's', [NEW, OLD])).toBe(header);
  expect(withCurrentSignature(signed(OLD), 's', [NEW])).toBe(signed(OLD));
});
