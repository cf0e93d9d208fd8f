import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { trustedProxies } from './addresses.ts';
import { openedAt } from './opened-at.ts';

const request = (headers: Record<string, string>) =>
  ({ headers, socket: { remoteAddress: '127.0.0.1' } }) as unknown as IncomingMessage;
const server = { url: 'http://127.0.0.1:7860', isPublic: false, basePath: '/', proxies: trustedProxies([]) };

it('is the origin of the page, with the path below which the server is served', () => {
  const page = request({ origin: 'https://croft.example', host: 'inner:80' });
  expect(openedAt(page, server)).toBe('https://croft.example');
  expect(openedAt(page, { ...server, basePath: '/croft/' })).toBe('https://croft.example/croft');
});

it('is the public address for a program, which sends no origin', () => {
  const program = request({ host: 'inner:80' });
  expect(openedAt(program, { ...server, url: 'https://croft.example/croft', isPublic: true })).toBe(
    'https://croft.example/croft',
  );
});

it('is the Host of a program where no address is public, as a trusted proxy reports it', () => {
  const forwarded = request({ host: 'inner:80', 'x-forwarded-host': 'outer:8080' });
  expect(openedAt(forwarded, server)).toBe('http://inner:80');
  expect(openedAt(forwarded, { ...server, proxies: trustedProxies(['127.0.0.1']) })).toBe('http://outer:8080');
  expect(openedAt(request({}), server)).toBe('http://127.0.0.1:7860');
});
