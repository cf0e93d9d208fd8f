import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { refuseRequest } from './refuse-request.ts';

function refuse(status: number, state: { destroyed?: boolean; writableEnded?: boolean; headersSent?: boolean } = {}) {
  const seen: unknown[] = [];
  const res = {
    destroyed: false,
    writableEnded: false,
    headersSent: false,
    ...state,
    writeHead: (code: number, headers: object) => seen.push([code, headers]),
    end: (body: string) => seen.push(body),
    destroy: () => seen.push('destroyed'),
  };
  refuseRequest(res as unknown as ServerResponse, status, '{"é":1}');
  return seen;
}
const TYPE = { 'Content-Type': 'application/json', 'Content-Length': 8 };

it('sends an error that a client does not repeat, except where the guard is busy', () => {
  expect(refuse(502)).toEqual([[502, { ...TYPE, 'X-Should-Retry': 'false' }], '{"é":1}']);
  expect(refuse(503)).toEqual([[503, { ...TYPE, 'Retry-After': '1' }], '{"é":1}']);
});

it('closes the connection where a reply has begun, and does nothing after its end', () => {
  expect(refuse(502, { headersSent: true })).toEqual(['destroyed']);
  expect([refuse(502, { destroyed: true }), refuse(502, { writableEnded: true, headersSent: true })]).toEqual([[], []]);
});
