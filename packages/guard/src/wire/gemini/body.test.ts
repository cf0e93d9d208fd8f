import { describe, expect, it } from 'vitest';
import { ALLOW, BLOCK } from '../../testing.ts';
import type { Verdict } from '../wire.ts';
import { readGeminiBody, rewriteGeminiBody } from './body.ts';

const body = (...parts: object[]) =>
  Buffer.from(JSON.stringify({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] }));
const call = (name: string) => ({ functionCall: { name, args: { path: 'x' } } });
const keysOf = (read: ReturnType<typeof readGeminiBody>) =>
  read.kind === 'calls' ? read.calls.map(({ key }) => key) : [];

describe('a reply', () => {
  it('has the calls of its parts', () => {
    const read = readGeminiBody(body({ text: 'a' }, call('write'), call('read')));
    expect(read.kind === 'calls' && read.calls.map(({ readings }) => readings[0]?.name)).toEqual(['write', 'read']);
  });

  it('without a call passes, and one that cannot be read does not', () => {
    expect(readGeminiBody(body({ text: 'a' })).kind).toBe('plain');
    expect(readGeminiBody(body({ text: 'functionCall' })).kind).toBe('plain');
    expect(readGeminiBody(Buffer.from('{"candidates":[{"functionCall"')).kind).toBe('broken');
    expect(readGeminiBody(Buffer.from('{}\0')).kind).toBe('broken');
    expect(readGeminiBody(Buffer.from('["functionCall"]')).kind).toBe('broken');
  });

  it('loses a blocked call, of which a note stays, and passes its signature on', () => {
    const given = body({ ...call('write'), thoughtSignature: 'S' }, call('read'));
    const [first, second] = keysOf(readGeminiBody(given));
    const verdict = (key: string | undefined, blocked: boolean): Verdict => ({
      key: key as string,
      name: 'write',
      blocked,
      decision: blocked ? BLOCK : ALLOW,
      result: '',
      note: blocked ? 'It was blocked.' : '',
    });
    const rewritten = JSON.parse(rewriteGeminiBody(given, [verdict(first, true), verdict(second, false)]).toString());
    expect(rewritten.candidates[0].content.parts).toEqual([
      { text: 'It was blocked.' },
      { ...call('read'), thoughtSignature: 'S' },
    ]);
    expect(() => rewriteGeminiBody(Buffer.from('{'), [])).toThrow('only a body that was read');
  });
});
