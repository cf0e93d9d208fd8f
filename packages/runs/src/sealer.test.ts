import { expect, it } from 'vitest';
import { createSealer } from './sealer.ts';

const key = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });
const sealer = createSealer([key('new', 1), key('old', 2)]);

const unreadable = (open: () => unknown) =>
  expect(open).toThrow(expect.objectContaining({ name: 'RunError', code: 'unreadable' }));

it('opens what it sealed, and hides it', () => {
  const sealed = sealer.seal('Käse ist geheim', 'user 1');
  expect(sealed).toMatch(/^new\.[A-Za-z0-9+/=]+$/);
  expect(Buffer.from(sealed.slice(4), 'base64').toString('latin1')).not.toContain('geheim');
  expect(sealer.open(sealed, 'user 1')).toBe('Käse ist geheim');
});

it('seals the same text differently each time', () => {
  expect(sealer.seal('text')).not.toBe(sealer.seal('text'));
});

it('opens a text only at the place for which it was sealed', () => {
  const sealed = sealer.seal('text', 'ann');
  unreadable(() => sealer.open(sealed, 'bob'));
  unreadable(() => sealer.open(sealed));
});

it('refuses a text that was changed, cut or given the name of another key', () => {
  const sealed = sealer.seal('text');
  const bytes = Buffer.from(sealed.slice(4), 'base64');
  const last = bytes.length - 1;
  bytes[last] = (bytes[last] ?? 0) ^ 1;
  unreadable(() => sealer.open(`new.${bytes.toString('base64')}`));
  unreadable(() => sealer.open(sealed.slice(0, 20)));
  unreadable(() => sealer.open(`old${sealed.slice(3)}`));
});

it('opens texts of an earlier key, seals with the first one, and names a key that it does not have', () => {
  const before = createSealer([key('old', 2)]);
  const sealed = before.seal('kept');
  expect(sealer.open(sealed)).toBe('kept');
  expect(sealer.keyId).toBe('new');
  expect(() => before.open(sealer.seal('text'))).toThrow("'new'");
});

it('refuses keys of another length, and ids that could be a part of the text', () => {
  for (const wrong of [{ id: 'a', key: Buffer.alloc(16) }, key('a.b', 1), key('', 1), key('a'.repeat(33), 1)]) {
    expect(() => createSealer([wrong])).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => createSealer([key('first', 1), wrong])).toThrow('32 bytes');
  }
});
