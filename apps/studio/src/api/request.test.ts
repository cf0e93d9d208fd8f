import { describe, expect, it, vi } from 'vitest';
import { BASE, refusal, useFakeApi } from '../testing/fake-api.ts';
import { ApiError, apiUrl, errorOf, isTemporary, offline, request, send } from './request.ts';

const api = useFakeApi();

/** The first request, as `fetch` has it. */
const sent = () => vi.mocked(fetch).mock.calls[0];

describe('errors of the server', () => {
  it.each([
    [offline(), true],
    [errorOf(429, ''), true],
    [errorOf(500, ''), true],
    [errorOf(502, ''), true],
    [errorOf(499, ''), false],
    [errorOf(404, ''), false],
    [new Error('broken'), false],
  ])('%j pass: %s', (error, passes) => {
    expect(isTemporary(error)).toBe(passes);
  });

  it('are read from both shapes', () => {
    const body = '{"error":{"code":"exists","message":"It is there."}}';
    const studio = errorOf(409, body);
    expect({ ...studio, message: studio.message }).toEqual({
      name: 'ApiError',
      code: 'exists',
      message: 'It is there.',
      status: 409,
      retryAfterS: undefined,
      body,
    });
    const gateway = errorOf(403, '{"code":403,"message":"Invalid API key"}');
    expect([gateway.code, gateway.message]).toEqual(['403', 'Invalid API key']);
  });

  it('are sentences even when a proxy answered, and say how long to wait', () => {
    expect([401, 403, 404, 413, 429, 502].map((status) => errorOf(status, '<html>Bad</html>').message)).toEqual([
      'You are signed out. Sign in again.',
      'You are not allowed to do this.',
      'Not found. It may have been moved or deleted.',
      'This is too large for the server.',
      'Too many attempts. Wait a moment, then try again.',
      'Croft could not do this (502). Try again.',
    ]);
    expect(errorOf(429, '', '17').retryAfterS).toBe(17);
    expect(errorOf(429, '', 'tomorrow').retryAfterS).toBeUndefined();
    expect(errorOf(429, '').retryAfterS).toBeUndefined();
  });

  it.each(['null', '{"error":null}', '{"error":{"code":null,"message":""}}', '{"message":7}', '7'])(
    'have a code and a message also where the response is %s',
    (body) => {
      const { code, message } = errorOf(404, body);
      expect([code, message]).toEqual(['http_404', 'Not found. It may have been moved or deleted.']);
    },
  );

  it('have no body and no status without a response', () => {
    const { code, message, status, body } = offline();
    expect([code, message, status, body]).toEqual([
      'offline',
      'Croft does not answer. Check that it is running, then try again.',
      0,
      '',
    ]);
  });
});

it('writes the address of an endpoint below the base path, without values that are missing', () => {
  expect(apiUrl('api/v1/me')).toBe(`${BASE}api/v1/me`);
  expect(apiUrl('api/v1/files', { path: 'a b', after: undefined, to: '' })).toBe(`${BASE}api/v1/files?path=a+b&to=`);
});

describe('a request', () => {
  const readUrl = () => apiUrl('api/v1/me');

  it('reads without a body, and without the header of writes', async () => {
    api.answer('GET /api/v1/me', { id: 1 });
    expect(await request(readUrl())).toEqual({ id: 1 });
    expect(sent()).toEqual([
      `${BASE}api/v1/me`,
      { method: 'GET', headers: { Accept: 'application/json' }, credentials: 'same-origin', signal: null },
    ]);
  });

  it('writes JSON, by default an empty object', async () => {
    const { signal } = new AbortController();
    api.answer('POST /api/v1/me', () => new Response(null, { status: 204 }));
    expect(await request(readUrl(), { method: 'POST', signal })).toBeUndefined();
    expect(sent()?.[1]).toEqual({
      method: 'POST',
      headers: { Accept: 'application/json', 'X-Croft': '1', 'Content-Type': 'application/json' },
      credentials: 'same-origin',
      signal,
      body: '{}',
    });
    await request(readUrl(), { method: 'POST', json: { a: 1 } });
    expect(api.requests[1]).toBe('POST /api/v1/me {"a":1}');
  });

  it('reads headers without a body', async () => {
    api.answer('HEAD /api/v1/me', () => new Response());
    await send(readUrl(), { method: 'HEAD' });
    const headers = { Accept: 'application/json' };
    expect(sent()?.[1]).toEqual({ method: 'HEAD', headers, credentials: 'same-origin', signal: null });
  });

  it('deletes without a body', async () => {
    api.answer('DELETE /api/v1/me', { ok: true });
    await request(readUrl(), { method: 'DELETE', json: { a: 1 } });
    expect(sent()?.[1]).toEqual({
      method: 'DELETE',
      headers: { Accept: 'application/json', 'X-Croft': '1' },
      credentials: 'same-origin',
      signal: null,
    });
  });

  it('fails with the error of the server', async () => {
    const body = '{"error":{"code":"busy","message":"Wait."}}';
    api.answer('GET /api/v1/me', () => new Response(body, { status: 503, headers: { 'Retry-After': '5' } }));
    await expect(request(readUrl())).rejects.toEqual(new ApiError('busy', 'Wait.', 503, 5, body));
    await expect(send(readUrl())).rejects.toMatchObject({ code: 'busy', retryAfterS: 5, body });
    api.answer('GET /api/v1/me', refusal(404, 'gone'));
    await expect(request(readUrl())).rejects.toMatchObject({ code: 'gone', status: 404 });
  });

  it('fails where the response is not JSON, and hands on one that is not read', async () => {
    api.answer('GET /api/v1/me', () => new Response('<html>', { status: 200 }));
    await expect(request(readUrl())).rejects.toEqual(
      new ApiError('bad_answer', 'This page cannot read the response of Croft. Reload the page.', 200),
    );
    expect(await (await send(readUrl())).text()).toBe('<html>');
  });

  it('tells a server that does not answer from an abort', async () => {
    await expect(request(readUrl())).rejects.toEqual(offline());
    const reason = new Error('enough');
    await expect(request(readUrl(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
