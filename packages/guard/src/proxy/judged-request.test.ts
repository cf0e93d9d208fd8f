import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { DEFAULT_LIMITS, isSuccess, readableType } from './judged-request.ts';

const typeOf = (type?: string, ...more: string[]) =>
  readableType({
    headers: { 'content-type': type },
    rawHeaders: [type ?? [], more].flat().flatMap((value) => ['Content-Type', value]),
  } as unknown as IncomingMessage);

it.each([
  ['application/json', 'application/json'],
  ['Text/Event-Stream; charset=UTF-8', 'text/event-stream'],
  ['text/event-stream;charset="utf8"', 'text/event-stream'],
  ['application/json; charset=us-ascii; boundary=x', 'application/json'],
  ['application/json; charset=utf-16', undefined],
  ['application/json; x=y; charset = "latin1"', undefined],
  [' text/plain ; charset= utf-8 ', 'text/plain'],
  ['text/plain; charset=utf8x', undefined],
  ['text/plain; xcharset=latin1', 'text/plain'],
  ["text/plain; charset*=us-ascii''utf-7", undefined],
  ['text/plain; charset*0=utf-7', undefined],
  ['text/plain; charset', undefined],
  [' ;x', undefined],
  ['', undefined],
  [undefined, undefined],
])('reads the content type %j as %j', (given, expected) => {
  expect(typeOf(given)).toBe(expected);
});

it('reads no content type if there are several', () => {
  expect(typeOf('text/event-stream', 'application/json')).toBeUndefined();
  expect(typeOf('text/event-stream', 'text/event-stream; charset=utf-7')).toBeUndefined();
});

it('looks for calls in successful replies only', () => {
  const statuses = [undefined, 199, 200, 299, 300, 400];
  expect(statuses.map((statusCode) => isSuccess({ statusCode } as unknown as IncomingMessage))).toEqual([
    false,
    false,
    true,
    true,
    false,
    false,
  ]);
});

it('has limits without configuration', () => {
  expect(DEFAULT_LIMITS).toEqual({
    maxHeld: 8_388_608,
    maxRecorded: 2_097_152,
    maxBody: 33_554_432,
    maxKeptRequest: 8_388_608,
    maxTotal: 536_870_912,
    maxOpen: 8_192,
    maxRetries: 3,
    idleMs: 300_000,
  });
});
