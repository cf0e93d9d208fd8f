import { describe, expect, it } from 'vitest';
import { ALLOW, BLOCK } from '../testing.ts';
import type { BodyReading, SeenCall, Verdict, Wire } from '../wire/wire.ts';
import { guardBody, type GuardBodyOptions } from './guard-body.ts';

/** A wire whose bodies are words: each is a call, `-` is text, `?` cannot be read. */
const wire = {
  readBody(body: Buffer): BodyReading {
    const text = body.toString();
    if (text.includes('?')) return { kind: 'broken' };
    const names = text.split(' ').filter((word) => word !== '-' && word !== '');
    if (names.length === 0) return { kind: 'plain' };
    return {
      kind: 'calls',
      calls: names.map((name): SeenCall => ({ key: name, readings: [{ name, arguments: {} }] })),
    };
  },
  rewriteBody: (body: Buffer, verdicts: readonly Verdict[]) =>
    Buffer.from(
      verdicts.reduce((text, { key, blocked }) => (blocked ? text.replace(key, '-') : text), body.toString()),
    ),
  retryRequest: (request: Buffer) =>
    request.toString() === 'none' ? undefined : Buffer.from(`${request.toString()}+`),
  withUsage: (body: Buffer, earlier: readonly Buffer[]) => Buffer.from(`${body.toString()}#${earlier.length}`),
} as unknown as Wire;

async function guard(
  first: string,
  answers: readonly (string | undefined)[] = [],
  more: Partial<GuardBodyOptions> = {},
) {
  const asked: string[] = [];
  const attempts: number[] = [];
  const guarded = await guardBody(Buffer.from(first), {
    wire,
    judge: (calls, attempt) => {
      attempts.push(attempt);
      return calls.map(({ key }) => {
        const blocked = key.startsWith('bad');
        return { key, name: key, blocked, decision: blocked ? BLOCK : ALLOW, result: '', note: '' };
      });
    },
    request: Buffer.from('r'),
    ask: async (body) => {
      const answer = answers[asked.push(body.toString()) - 1];
      return answer === undefined ? undefined : Buffer.from(answer);
    },
    maxRetries: 2,
    enforce: true,
    ...more,
  });
  return { body: guarded === 'broken' ? guarded : guarded.body.toString(), asked, attempts };
}

describe('a body', () => {
  it('without a blocked call stays as it is', async () => {
    expect(await guard('-')).toEqual({ body: '-', asked: [], attempts: [] });
    expect(await guard('good')).toMatchObject({ body: 'good', asked: [], attempts: [0] });
  });

  it('loses its blocked calls where others are allowed', async () => {
    expect(await guard('good bad')).toMatchObject({ body: 'good -', asked: [] });
  });

  it('of blocked calls alone is replaced by an answer of the model, with the usage of all', async () => {
    expect(await guard('bad', ['good'])).toEqual({ body: 'good#1', asked: ['r+'], attempts: [0, 1] });
    expect(await guard('bad', ['bad2', '-'])).toMatchObject({ body: '-#2', asked: ['r+', 'r++'] });
  });

  it('is rewritten where the model is asked too often, or cannot be asked', async () => {
    expect(await guard('bad', ['bad1', 'bad2', 'good'])).toMatchObject({ body: '-#2', asked: ['r+', 'r++'] });
    expect(await guard('bad', [undefined])).toMatchObject({ body: '-', asked: ['r+'] });
    expect(await guard('bad', ['good'], { request: undefined })).toMatchObject({ body: '-', asked: [] });
    expect(await guard('bad', ['good'], { request: Buffer.from('none') })).toMatchObject({ body: '-', asked: [] });
    expect(await guard('bad', ['good'], { maxRetries: 0 })).toMatchObject({ body: '-', asked: [] });
  });

  it('that cannot be read is stopped, and only passes in a dry run', async () => {
    expect((await guard('?')).body).toBe('broken');
    expect((await guard('a\0')).body).toBe('broken');
    expect((await guard('?', [], { enforce: false })).body).toBe('?');
    expect((await guard('bad', ['?'])).body).toBe('broken');
  });
});
