import { expect, it } from 'vitest';
import { createHookLimits } from './hook-limits.ts';
import { createWindowLimit } from './window-limit.ts';

it('a window allows its number of events of each key, and then again after it', () => {
  let now = 0;
  const limit = createWindowLimit(2, 1_000, () => now);
  expect([limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([0, 0, 0]);
  now = 400;
  expect(limit.take('a')).toBe(600);
  now = 1_000;
  expect(limit.take('a')).toBe(0);
});

it('many keys do not use more memory than its bound, and the newest still count', () => {
  const limit = createWindowLimit(1, 1_000, () => 0);
  for (let key = 0; key < 30_000; key++) limit.take(`${key}`);
  expect([limit.take('29999'), limit.take('20001')]).toEqual([1_000, 1_000]);
  // Forgotten, which allows it once more.
  expect(limit.take('0')).toBe(0);
});

it('a webhook takes 600 requests a minute, and an address sends 1,200 to all', () => {
  let now = 0;
  const limits = createHookLimits(() => now);
  for (let sent = 0; sent < 600; sent++) limits.accept('w');
  expect(() => limits.accept('w')).toThrow(expect.objectContaining({ code: 'busy', headers: { 'Retry-After': '60' } }));
  limits.accept('other');
  // Addresses of one subscriber count together.
  for (let sent = 0; sent < 1_200; sent++) limits.begin(`2001:db8:0:1::${sent.toString(16)}`).done();
  expect(() => limits.begin('2001:db8:0:1::1')).toThrow(expect.objectContaining({ code: 'busy' }));
  limits.begin('2001:db8:0:2::1').done();
  now = 60_000;
  limits.begin('2001:db8:0:1::1').done();
  limits.accept('w');
});

it('an address with few bodies takes the place of the oldest body of the address with most', () => {
  const limits = createHookLimits(() => 0);
  const addresses = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'];
  const slow = addresses.flatMap((address) => Array.from({ length: 16 }, () => limits.begin(address)));
  expect(() => limits.begin('198.51.100.1')).toThrow(expect.objectContaining({ code: 'busy' }));
  const wasCut = () => slow.flatMap(({ cut }, at) => (cut.aborted ? [at] : []));
  const first = limits.begin('203.0.113.9');
  expect(wasCut()).toEqual([0]);
  // The end of a body that was cut gives no second place.
  slow[0]?.done();
  const others = Array.from({ length: 11 }, () => limits.begin('203.0.113.9'));
  expect(wasCut()).toHaveLength(12);
  // Each of the five addresses has 12 or 13 now.
  expect(() => limits.begin('203.0.113.9')).toThrow(expect.objectContaining({ code: 'busy' }));
  expect([first, ...others].some(({ cut }) => cut.aborted)).toBe(false);
  for (const each of [first, ...others, ...slow]) each.done();
  for (let count = 0; count < 64; count++) limits.begin(`192.0.2.${count}`);
  expect(() => limits.begin('192.0.2.200')).toThrow(expect.objectContaining({ code: 'busy' }));
});

it('says how long to wait, rounded up to seconds', () => {
  let now = 0;
  const limits = createHookLimits(() => now);
  for (let sent = 0; sent < 600; sent++) limits.accept('w');
  now = 1;
  const wait = (seconds: number) =>
    expect.objectContaining({
      status: 429,
      code: 'busy',
      message: `Too many requests. Try again in ${seconds} s.`,
      headers: { 'Retry-After': String(seconds) },
    });
  expect(() => limits.accept('w')).toThrow(wait(60));
  now = 59_500;
  expect(() => limits.accept('w')).toThrow(wait(1));
  for (let open = 0; open < 16; open++) limits.begin('192.0.2.1');
  expect(() => limits.begin('192.0.2.1')).toThrow(wait(1));
});

it('an address may read 16 bodies at once, and the next one when one has ended', () => {
  const limits = createHookLimits(() => 0);
  const open = Array.from({ length: 16 }, () => limits.begin('192.0.2.1'));
  expect(() => limits.begin('192.0.2.1')).toThrow(expect.objectContaining({ code: 'busy' }));
  open[3]?.done();
  open[3]?.done();
  limits.begin('192.0.2.1');
  expect(() => limits.begin('192.0.2.1')).toThrow(expect.objectContaining({ code: 'busy' }));
});

it('64 bodies are read at once, and no address is cut for one that has as many', () => {
  const limits = createHookLimits(() => 0);
  const open = Array.from({ length: 64 }, (_, at) => limits.begin(`192.0.2.${at >> 1}`));
  // With a second body, the new address would have as many as each of the others.
  limits.begin('203.0.113.1');
  expect(open.map(({ cut }) => cut.aborted).indexOf(true)).toBe(0);
  expect(() => limits.begin('203.0.113.1')).toThrow(expect.objectContaining({ code: 'busy' }));
  expect(open.filter(({ cut }) => cut.aborted)).toHaveLength(1);
});
