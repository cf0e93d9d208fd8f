import { expect, it } from 'vitest';
import { createVisitorLimits } from './visitor-limits.ts';

const BUSY = expect.objectContaining({ code: 'busy', headers: { 'Retry-After': expect.any(String) } });

it('a visitor sends 20 messages a minute, and all visitors of a link 60', () => {
  let now = 0;
  const limits = createVisitorLimits(() => now);
  const send = (address: string, link = 'a') => limits.begin(address, link)();
  for (let sent = 0; sent < 20; sent++) send('192.0.2.1');
  expect(() => send('192.0.2.1')).toThrow(BUSY);
  for (let sent = 0; sent < 40; sent++) send(`192.0.2.${2 + (sent % 2)}`);
  expect(() => send('192.0.2.9')).toThrow(BUSY);
  send('192.0.2.9', 'b');
  now = 60_000;
  send('192.0.2.1');
});

it('a link answers 2,000 messages a day', () => {
  let now = 0;
  const limits = createVisitorLimits(() => now);
  for (let sent = 0; sent < 2_000; sent++) {
    if (sent % 20 === 0) now += 60_000;
    limits.begin('192.0.2.1', 'a')();
  }
  now += 60_000;
  expect(() => limits.begin('192.0.2.1', 'a')).toThrow(BUSY);
});

it('a link runs twice at once, so that its owner has slots left', () => {
  const limits = createVisitorLimits();
  const [end] = [limits.begin('192.0.2.1', 'a'), limits.begin('192.0.2.2', 'a')];
  expect(() => limits.begin('192.0.2.3', 'a')).toThrow(BUSY);
  limits.begin('192.0.2.3', 'b');
  end?.();
  limits.begin('192.0.2.3', 'a');
});

it('an address looks at links 120 times a minute', () => {
  const limits = createVisitorLimits(() => 0);
  for (let looks = 0; looks < 120; looks++) limits.look('192.0.2.1');
  expect(() => limits.look('192.0.2.1')).toThrow(BUSY);
  limits.look('192.0.2.2');
});

it('says when a visitor can try again, and counts the runs of a link that end in any order', () => {
  let now = 0;
  const limits = createVisitorLimits(() => now);
  const busy = (seconds: number) =>
    expect.objectContaining({
      message: `Many messages are sent right now. Try again in ${seconds} s.`,
      headers: { 'Retry-After': `${seconds}` },
    });
  for (let sent = 0; sent < 20; sent++) limits.begin('192.0.2.1', 'a')();
  now = 30_500;
  expect(() => limits.begin('192.0.2.1', 'a')).toThrow(busy(30));
  const ends = ['192.0.2.2', '192.0.2.3'].map((address) => limits.begin(address, 'a'));
  expect(() => limits.begin('192.0.2.4', 'a')).toThrow(busy(5));
  ends[1]?.();
  const third = limits.begin('192.0.2.4', 'a');
  expect(() => limits.begin('192.0.2.4', 'a')).toThrow(busy(5));
  ends[0]?.();
  third();
  for (const end of [limits.begin('192.0.2.4', 'a'), limits.begin('192.0.2.4', 'a')]) end();
  limits.begin('192.0.2.4', 'a');
  limits.begin('192.0.2.4', 'a');
});
