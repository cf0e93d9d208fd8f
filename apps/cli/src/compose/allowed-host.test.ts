import { expect, it } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { parseHost } from './allowed-host.ts';

it('normalises an allowed host like the host of a request', () => {
  expect(parseHost(' Guard.Example.org ')).toBe('guard.example.org');
  expect(parseHost('::1')).toBe('[::1]');
  expect(parseHost('[fe80::1]')).toBe('[fe80::1]');
  expect(parseHost('bücher.example')).toBe('xn--bcher-kva.example');
});

it.each(['https://x.y', 'x.y:80', '*', '*.x.y', 'x/y', 'a@b', '', ' '])('refuses %j as an allowed host', (text) => {
  expect(() => parseHost(text)).toThrow(UsageError);
});
