import { describe, expect, it } from 'vitest';
import { GatewayError, type GatewayErrorCode, HostRefusal, REFUSALS } from './gateway-error.ts';

it('has the statuses and sentences of the protocol', () => {
  const said = (
    [
      'missingKey',
      'invalidKey',
      'notInitialized',
      'requestGone',
      'expiredToken',
      'expiredKey',
      'notSignedIn',
      'closing',
    ] as const
  ).map((name) => `${REFUSALS[name]().status} ${REFUSALS[name]().message}`);
  expect(said).toEqual([
    '403 Missing API key',
    '403 Invalid API key',
    '403 Local gateway not initialized',
    '404 Gateway request not found or already resolved',
    '403 Pairing token expired. Create a new link and run the command it shows',
    '403 Session expired. Create a new link and run the command it shows',
    '401 Sign in first',
    '503 The server is closing. Connect again in a moment',
  ]);
  expect(REFUSALS.badMethod('POST')).toMatchObject({ status: 405, message: 'Use POST here' });
  expect(new GatewayError('too_often', 'wait', 7)).toMatchObject({ status: 429, retryAfterS: 7 });
});

it('has a status for every code', () => {
  const codes: Record<number, readonly GatewayErrorCode[]> = {
    400: ['bad_request'],
    401: ['not_signed_in'],
    403: ['missing_key', 'invalid_key', 'expired_key', 'not_initialized'],
    404: ['request_gone'],
    405: ['bad_method'],
    413: ['too_large'],
    415: ['bad_content_type'],
    429: ['too_many', 'too_often'],
    500: ['internal'],
    503: ['closing'],
  };
  const statuses = Object.entries(codes).flatMap(([status, all]) => all.map((code) => [code, Number(status)] as const));
  for (const [code, status] of statuses)
    expect(new GatewayError(code, 'said')).toMatchObject({
      name: 'GatewayError',
      code,
      status,
      message: 'said',
      retryAfterS: undefined,
    });
  expect([REFUSALS.expiredToken().code, REFUSALS.badMethod('GET').code]).toEqual(['expired_key', 'bad_method']);
});

describe('a refusal of the host', () => {
  const from = (error: object) => HostRefusal.from(Object.assign(new Error('Wait a moment'), error));
  it('is passed on with its status, code, sentence and Retry-After', () => {
    expect(from({ status: 429, code: 'slow_down', headers: { 'Retry-After': '5' } })).toMatchObject({
      name: 'HostRefusal',
      status: 429,
      code: 'slow_down',
      message: 'Wait a moment',
      retryAfter: '5',
      cause: { code: 'slow_down' },
    });
    expect(from({ status: 429, code: 'slow_down' })).toMatchObject({ retryAfter: undefined });
    for (const status of [400, 499, 503, 507])
      expect(from({ status, code: 'x' }), `${status}`).toBeInstanceOf(HostRefusal);
  });

  it('is nothing that could tell of the inside of the server', () => {
    for (const status of [200, 399, 500, 502, 504]) expect(from({ status, code: 'x' })).not.toBeInstanceOf(HostRefusal);
    expect(from({ status: 400 })).not.toBeInstanceOf(HostRefusal);
    expect(from({ code: 'ECONNREFUSED' })).not.toBeInstanceOf(HostRefusal);
    const own = REFUSALS.closing();
    expect(HostRefusal.from(own)).toBe(own);
  });
});
