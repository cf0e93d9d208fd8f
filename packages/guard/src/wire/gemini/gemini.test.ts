import { describe, expect, it } from 'vitest';
import { gemini } from './gemini.ts';

describe('the wire', () => {
  it.each([
    ['/v1beta/models/gemini-2.5-pro:generatecontent', true],
    ['/v1/models/gemini-2.5-pro:streamgeneratecontent', true],
    ['/v1/projects/p/locations/l/publishers/google/models/gemini:streamgeneratecontent', true],
    ['/v1internal:streamgeneratecontent', true],
    ['/v1beta/models/gemini:counttokens', false],
    ['/v1beta/models/gemini:batchgeneratecontent', false],
    ['/v1beta/models/gemini:bidigeneratecontent', false],
    ['/v1beta/interactions', false],
  ])('knows its paths: %s', (path, matches) => {
    expect(gemini.matches('POST', path)).toBe(matches);
    expect(gemini.matches('GET', path)).toBe(false);
  });

  it('finds the model in the path, or in the body where the path has none', () => {
    expect(gemini.model(undefined, '/v1beta/models/gemini-2.5-pro:generateContent?alt=sse')).toBe('gemini-2.5-pro');
    expect(gemini.model(undefined, '/v1beta/models/gemini-2.5-pro%3AgenerateContent')).toBe('gemini-2.5-pro');
    expect(gemini.model(Buffer.from('{"model":"m"}'), '/v1internal:generateContent')).toBe('m');
    expect(gemini.model(undefined, '/v1internal:generateContent')).toBeUndefined();
    const body = Buffer.from('{"model":"m"}');
    expect(gemini.model(body, '/V12Internal:StreamGenerateContent')).toBe('m');
    expect(gemini.model(body, '/v1/models/x:streamGenerateContent/#y')).toBe('x');
    expect(gemini.model(body, '/v1/models/xv1internal:generateContent//')).toBe('xv1internal');
    expect(gemini.model(body, '/v1/models/%zz:generateContent')).toBe('%zz');
    expect(gemini.model(body, '/v1/models/x:countTokens')).toBe('m');
    expect(gemini.model(body, '?a=/x:generateContent')).toBe('m');
  });

  it('reads SSE, JSON in one piece and as a streamed array, and nothing else', () => {
    const url = '/v1beta/models/x:streamGenerateContent';
    expect(gemini.open('application/json', '/v1beta/models/x:generateContent')).toBe('body');
    expect(gemini.open('application/json', url)).toBeTypeOf('object');
    expect(gemini.open('application/json', `${url.toUpperCase()}/?a=b`)).toBeTypeOf('object');
    expect(gemini.open('application/json', `${url}X`)).toBe('body');
    expect(gemini.open('text/event-stream', `${url}?alt=sse`)).toBeTypeOf('object');
    expect(gemini.open('application/x-protobuf', url)).toBeUndefined();
    expect(gemini.open('text/javascript', url)).toBeUndefined();
  });

  it('writes errors as Google does', () => {
    expect(JSON.parse(gemini.errorBody(503, 'busy'))).toEqual({
      error: { code: 503, message: 'busy', status: 'UNAVAILABLE' },
    });
    const names = [400, 401, 403, 404, 409, 429, 499, 500, 501, 502, 503, 504, 505].map(
      (status) => (JSON.parse(gemini.errorBody(status, 'x')) as { error: { status: string } }).error.status,
    );
    expect(names).toEqual([
      'INVALID_ARGUMENT',
      'UNAUTHENTICATED',
      'PERMISSION_DENIED',
      'NOT_FOUND',
      'ABORTED',
      'RESOURCE_EXHAUSTED',
      'CANCELLED',
      'INTERNAL',
      'UNIMPLEMENTED',
      'UNAVAILABLE',
      'UNAVAILABLE',
      'DEADLINE_EXCEEDED',
      'INTERNAL',
    ]);
  });

  it('adds the usage of an earlier reply under each name of the usage', () => {
    expect(gemini.name).toBe('gemini');
    for (const key of ['usageMetadata', 'usage_metadata'])
      for (const wrap of [(body: object): object => body, (body: object) => ({ response: body })]) {
        const usage = (count: number) => wrap({ [key]: { totalTokenCount: count } });
        const sum = gemini.withUsage(Buffer.from(JSON.stringify(usage(3))), [Buffer.from(JSON.stringify(usage(4)))]);
        expect(JSON.parse(sum.toString()), key).toEqual(usage(7));
      }
  });
});
