import { describe, expect, it } from 'vitest';
import { errorOf } from './request.ts';

describe('errors of the server', () => {
  it('are read from both shapes', () => {
    const studio = errorOf(409, '{"error":{"code":"exists","message":"It is there."}}');
    expect([studio.code, studio.message, studio.status]).toEqual(['exists', 'It is there.', 409]);
    const gateway = errorOf(403, '{"code":403,"message":"Invalid API key"}');
    expect([gateway.code, gateway.message]).toEqual(['403', 'Invalid API key']);
  });

  it('are sentences even when a proxy answered, and say how long to wait', () => {
    expect(errorOf(502, '<html>Bad gateway</html>').message).toMatch(/could not do this \(502\)/);
    expect(errorOf(429, '', '17').retryAfterS).toBe(17);
    expect(errorOf(429, '', 'tomorrow').retryAfterS).toBeUndefined();
    expect(errorOf(404, 'null').code).toBe('http_404');
  });
});
