import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterBody } from './after-body.ts';

const MAX = 100;
let responses: number;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  responses = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

function begin(headers: Record<string, string>, more: Partial<IncomingMessage> = {}): PassThrough {
  const req = Object.assign(new PassThrough(), { headers, complete: false, ...more });
  afterBody(req as unknown as IncomingMessage, MAX, () => responses++);
  return req;
}

it('responds at once where no body comes, it came already, or it announces too much', () => {
  begin({});
  begin({ 'content-length': '0' });
  begin({ 'content-length': '10' }, { complete: true });
  begin({ 'content-length': `${MAX + 1}` });
  expect(responses).toBe(4);
  begin({ 'content-length': `${MAX}` });
  expect(responses).toBe(4);
});

it('responds once, behind the body or when the client leaves', async () => {
  const ended = begin({ 'transfer-encoding': 'chunked' });
  ended.write('x'.repeat(MAX));
  await new Promise(setImmediate);
  expect(responses).toBe(0);
  ended.end();
  await vi.waitFor(() => expect(responses).toBe(1));
  begin({ 'content-length': '10' }).destroy();
  await vi.waitFor(() => expect(responses).toBe(2));
  // The limit of the wait does not respond a second time.
  vi.advanceTimersByTime(10_000);
  expect(responses).toBe(2);
});

it('reads no more than the limit', async () => {
  begin({ 'transfer-encoding': 'chunked' }).write('x'.repeat(MAX + 1));
  await vi.waitFor(() => expect(responses).toBe(1));
});

it('waits at most ten seconds for a slow client', () => {
  begin({ 'content-length': '10' });
  vi.advanceTimersByTime(9_999);
  expect(responses).toBe(0);
  vi.advanceTimersByTime(1);
  expect(responses).toBe(1);
});
