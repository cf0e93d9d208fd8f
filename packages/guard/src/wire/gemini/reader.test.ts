import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowAll,
  blockOutside,
  everyCut,
  firstChange,
  openStream,
  play,
  sseData,
  type StreamRun,
} from '../testing.ts';
import { cutAt, dataOf, readerOf, verdictOn } from '../testing-reader.ts';
import type { Decision, ObservedCall } from '../../decision.ts';
import type { Frame } from '../../framing/framing.ts';
import { gemini } from './gemini.ts';
import { GeminiReader, readFrame } from './reader.ts';
import { arrayOf, callPart, chunkOf, HOSTILE, partsOf, sseOf, streamedCall } from './testing.ts';

const ARRAY_URL = '/v1beta/models/gemini-x:streamGenerateContent?key=k';
const END = chunkOf([{ text: '' }], 'STOP');
const SIGNED = { thoughtSignature: 'c2ln' };

type Judge = (call: ObservedCall) => Decision;
interface Form {
  readonly write: (chunks: readonly (object | string)[]) => Buffer;
  readonly open: (judge: Judge, options?: object) => StreamRun;
  readonly read: (bytes: Buffer) => object[];
}
const FORMS: Record<string, Form> = {
  SSE: {
    write: (chunks) => sseOf(chunks),
    open: (judge, options) => openStream(gemini, judge, options),
    read: sseData,
  },
  'a JSON array': {
    write: (chunks) => arrayOf(chunks),
    open: (judge, options) =>
      openStream(gemini, judge, { ...options, contentType: 'application/json', url: ARRAY_URL }),
    read: (bytes) => JSON.parse(bytes.toString()) as object[],
  },
};

const STREAMS: Record<string, readonly (object | string)[]> = {
  text: [chunkOf([{ text: 'Hé "functionCall" lo' }]), chunkOf([{ text: ' a\u003cb' }]), END],
  'a call with text and thoughts': [
    chunkOf([{ text: 'I think', thought: true }]),
    chunkOf([{ text: 'I write.' }]),
    chunkOf([callPart({ path: 'a.ts', n: 1e21 }, SIGNED)]),
    END,
  ],
  'calls in one chunk, with ids, and its end': [
    chunkOf([{ functionCall: { id: 'a', name: 'x', args: {} } }, { functionCall: { id: 'b', name: 'y' } }], 'STOP'),
  ],
  'calls over several chunks': [chunkOf([callPart({ path: 'a' }, SIGNED)]), chunkOf([callPart({ path: 'b' })]), END],
  'two candidates': [
    {
      candidates: [
        { content: { parts: [callPart({})] }, index: 0 },
        { content: { parts: [{ text: 'x' }] }, index: 1 },
      ],
    },
    {
      candidates: [
        { finishReason: 'STOP', index: 0 },
        { finishReason: 'STOP', index: 1 },
      ],
    },
  ],
  'streamed arguments': [
    ...streamedCall('w', [
      { jsonPath: '$.path', stringValue: 'a', willContinue: true },
      { jsonPath: '$.path', stringValue: '.ts' },
    ]),
    END,
  ],
  'no finish reason': [chunkOf([callPart({})])],
  'a finish reason in every chunk': [chunkOf([{ text: 'x' }], 'STOP'), chunkOf([callPart({})], 'STOP'), END],
  'what is run upstream': [
    chunkOf([
      { executableCode: { language: 'PYTHON', code: 'open("/etc/x")' } },
      { codeExecutionResult: { output: '' } },
    ]),
    chunkOf([{ toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: { q: '/etc/' }, id: '1' } }]),
    END,
  ],
  'a malformed call': [
    chunkOf([{ text: '' }], 'MALFORMED_FUNCTION_CALL', { finishMessage: 'Malformed function call: x(' }),
  ],
  nothing: [],
};

describe.each(Object.entries(FORMS))('a reply as %s', (_, { write, open, read }) => {
  it.each(Object.entries(STREAMS))('leaves byte for byte at every cut when nothing is blocked: %s', (__, chunks) =>
    expect(firstChange(() => open(allowAll), write(chunks))).toBeUndefined(),
  );

  const two = write([
    chunkOf([{ text: 'I write.' }]),
    chunkOf([callPart(HOSTILE, SIGNED), callPart({ path: 'b.ts' })]),
    chunkOf([callPart({ path: 'c.ts' })]),
    END,
  ]);

  it('leaves no byte of a blocked call at any cut; the others go through, the first with the signature', () => {
    for (const pieces of everyCut(two)) {
      const out = play(open(blockOutside), pieces);
      expect(/\/etc\/|SECRET/.test(out.toString())).toBe(false);
      const chunks = read(out);
      const parts = partsOf(chunks);
      expect(parts.filter((part) => part.functionCall)).toEqual([
        { functionCall: { name: 'write_file', args: { path: 'b.ts' } }, thoughtSignature: 'c2ln' },
        { functionCall: { name: 'write_file', args: { path: 'c.ts' } } },
      ]);
      expect(parts[1]?.text).toContain('was refused and not run');
      expect(chunks.at(-1)).toEqual(END);
    }
  });

  it('becomes text where no call is left, and never has a content without parts', () => {
    const out = play(open(blockOutside), [
      write([
        ...streamedCall('w', [
          { jsonPath: '$.path', stringValue: '/etc/', willContinue: true },
          { jsonPath: '$.path', stringValue: 'x' },
        ]),
        chunkOf([callPart(HOSTILE)]),
        chunkOf([callPart(HOSTILE)], 'STOP'),
      ]),
    ]);
    expect(out.includes('/etc/')).toBe(false);
    const chunks = read(out) as { candidates: { content: { parts: object[] }; finishReason?: string }[] }[];
    expect(partsOf(chunks).map((part) => part.text?.slice(0, 14))).toEqual([
      '[Croft guard: ',
      '\n\n[Croft guard',
      '\n\n[Croft guard',
    ]);
    expect(chunks.at(-1)?.candidates[0]?.finishReason).toBe('STOP');
  });

  it('ends with a part that says nothing where the last chunk held only the rest of a blocked call', () => {
    const [start] = streamedCall('w', []);
    const last = { functionCall: { partialArgs: [{ jsonPath: '$.path', stringValue: '/etc/x' }] } };
    const chunks = read(play(open(blockOutside), [write([start as object, chunkOf([last], 'STOP')])]));
    expect(chunks.at(-1)).toEqual(END);
  });

  it('continues with the second answer: the ids of the first, its text, its signed call', () => {
    const first = write([chunkOf([{ text: 'I try.' }]), chunkOf([callPart(HOSTILE, SIGNED)]), END]);
    const second = write([
      chunkOf([{ text: 'Sorry.', thoughtSignature: 'dHdv' }], undefined, { responseId: 'resp-2' }),
      chunkOf([callPart({ path: 'ok.ts' }, { thoughtSignature: 'b25l' })], undefined, { responseId: 'resp-2' }),
      { ...END, responseId: 'resp-2', usageMetadata: { totalTokenCount: 99 } },
    ]);
    for (const pieces of everyCut(second)) {
      const run = open(blockOutside, { maxRecorded: 1 << 20 });
      run.guard.push(first);
      expect(run.guard.state).toBe('asking');
      const { url, contentType } =
        write([])[0] === 0x5b
          ? { url: ARRAY_URL, contentType: 'application/json' }
          : { url: '/', contentType: 'text/event-stream' };
      run.guard.splice(gemini.open(contentType, url) as never);
      const chunks = read(play(run, pieces));
      expect(new Set(chunks.map((chunk) => (chunk as { responseId: string }).responseId))).toEqual(new Set(['resp-1']));
      const parts = partsOf(chunks);
      expect(parts.map((part) => part.text ?? '').join('')).toBe('I try.\n\nSorry.');
      expect(parts.find((part) => part.text === 'Sorry.')?.thoughtSignature).toBe('dHdv');
      expect(parts.filter((part) => part.functionCall)).toEqual([
        callPart({ path: 'ok.ts' }, { thoughtSignature: 'b25l' }),
      ]);
      expect(chunks.at(-1)).toMatchObject({ usageMetadata: { totalTokenCount: 106 } });
      expect(run.budget.used).toBe(0);
    }
  });

  it('gives a signature to no call when the first one is out already', () => {
    const later = chunkOf([callPart(HOSTILE, { thoughtSignature: 'b3RoZXI=' }), callPart({ path: 'b' })], 'STOP');
    const out = play(open(blockOutside), [write([chunkOf([callPart({ path: 'a' }, SIGNED)]), later])]);
    const calls = partsOf(read(out)).filter((part) => part.functionCall);
    expect(calls).toEqual([callPart({ path: 'a' }, SIGNED), callPart({ path: 'b' })]);
  });

  it('becomes words when it is not asked again, and the rest of the first answer follows', () => {
    const run = open(blockOutside, { maxRecorded: 1 << 20 });
    run.guard.push(write([chunkOf([callPart(HOSTILE)]), END]));
    run.guard.refuse();
    run.guard.end();
    expect(read(run.out()).at(-1)).toEqual(END);
  });

  it('ends with an error the SDK throws on when upstream ends inside a call', () => {
    const run = open(allowAll);
    run.guard.push(write([chunkOf([{ text: 'hi' }]), ...streamedCall('w', []).slice(0, 1)]).subarray(0, -3));
    run.guard.fail('The upstream reply broke off.');
    const last = read(run.out()).at(-1) as { error?: { code: number; message: string } };
    expect(last.error).toEqual({ code: 500, message: 'The upstream reply broke off.', status: 'INTERNAL' });
    expect(run.out().includes('willContinue')).toBe(false);
  });

  it('ends with words when a call is larger than what may be held', () => {
    const run = open(allowAll, { maxHeld: 4096 });
    for (const piece of everyCut(
      write([chunkOf([{ text: 'hi' }]), chunkOf([callPart({ x: 'y'.repeat(9000) })]), END]),
    ).next().value as Buffer[])
      for (let at = 0; at < piece.length; at += 100) run.guard.push(piece.subarray(at, at + 100));
    expect(run.guard.state).toBe('over');
    expect(run.budget.used).toBe(0);
    const parts = partsOf(read(run.out()));
    expect(parts.at(-1)?.text).toContain('too large');
    expect(run.out().includes('yyy')).toBe(false);
  });

  it('passes all the same in dry-run, byte for byte', () => {
    for (const pieces of everyCut(two))
      expect(play(open(blockOutside, { enforce: false }), pieces).equals(two)).toBe(true);
  });

  it('never lets out a byte of a blocked call, whatever surrounds it and however it is cut', () => {
    const part = fc.oneof(
      fc.string().map((text) => ({ text })),
      fc.constantFrom<object>(
        callPart(HOSTILE, SIGNED),
        callPart({ path: 'a' }),
        { functionCall: {} },
        { functionCall: { name: 'w', willContinue: true } },
        { functionCall: { partialArgs: [{ jsonPath: '$.path', stringValue: '/etc/cron.d' }], willContinue: true } },
        { functionCall: { partialArgs: [{ jsonPath: '$.path', stringValue: '/x' }] } },
        { function_call: { name: 'w', args: HOSTILE }, text: 'x' },
      ),
    );
    const chunk = fc
      .tuple(fc.array(part, { maxLength: 3 }), fc.constantFrom(undefined, undefined, 'STOP'), fc.nat(1))
      .map(([parts, finishReason, index]) => ({
        candidates: [{ content: { parts }, index, ...(finishReason && { finishReason }) }],
      }));
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 6 }), fc.array(fc.nat(2000), { maxLength: 5 }), (chunks, places) => {
        const bytes = write(chunks);
        const out = play(open(blockOutside), cutAt(bytes, places));
        for (const { functionCall } of partsOf(read(out)))
          expect(JSON.stringify(functionCall ?? '')).not.toContain('/etc/cron');
        expect(out.toString()).not.toContain('SECRET');
      }),
      { numRuns: 600 },
    );
  });
});

describe('the frames of a reply', () => {
  const SIGNED = { thoughtSignature: 'c2ln' };
  const verdict = (key: string, blocked: boolean) => verdictOn(key, blocked ? 'refused' : '');
  function reader(splice?: ConstructorParameters<typeof GeminiReader>[0]) {
    const made = new GeminiReader(splice);
    return readerOf(made, (chunks: readonly (object | string)[]) => sseOf(chunks));
  }

  it('pass without a call, settle with one, and finish with the end of every candidate', () => {
    const { read, made } = reader();
    expect(read(chunkOf([{ text: 'a' }]), chunkOf([callPart({ path: 'a' })]))).toEqual(['pass', 'settle']);
    expect(made.complete()).toMatchObject([{ key: '0', readings: [{ arguments: { path: 'a' } }] }]);
    expect(made.complete()).toEqual([]);
    expect(read(chunkOf([{ text: 'b' }]), chunkOf([], 'STOP'))).toEqual(['hold', 'finish']);
    expect(made.interesting?.test('finishReason')).toBe(true);
    expect(reader().read(chunkOf([], 'STOP'))).toEqual(['pass']);
  });

  it('are held while arguments are streamed', () => {
    const { read, made } = reader();
    expect(read(...streamedCall('w', [{ jsonPath: '$.a', stringValue: 'b' }]))).toEqual(['hold', 'hold', 'settle']);
    expect(made.complete()).toMatchObject([{ readings: [{ arguments: { a: 'b' } }] }]);
    const cut = reader();
    expect(cut.read(chunkOf([{ functionCall: { name: 'w', willContinue: true } }]), chunkOf([], 'STOP'))).toEqual([
      'hold',
      'finish',
    ]);
    expect(cut.made.complete()).toMatchObject([{ fault: 'invalid-arguments' }]);
  });

  it('wait for every candidate with a call', () => {
    const { read } = reader();
    const two = (index: number, parts: readonly object[], finishReason?: string) => ({
      candidates: [{ index, content: { parts }, finishReason }],
    });
    expect(read(two(0, [callPart({})]), two(1, [callPart({})]), two(0, [], 'STOP'), two(1, [], 'STOP'))).toEqual([
      'settle',
      'settle',
      'hold',
      'finish',
    ]);
  });

  it.each([
    '{"functionCall":',
    '[{"functionCall":1}]',
    '{"FunctionCall":{"a":1}}',
    '{"candidates":[{"functionCall":{"a":1}}]}',
  ])('are broken by a trace of a call that cannot be read: %s', (data) => {
    expect(reader().read(data)).toEqual(['broken']);
  });

  it('pass if they cannot be read and have no such trace', () => {
    expect(reader().read('{', '[]', '{"candidates":7}')).toEqual(['pass', 'pass', 'pass']);
    expect(reader().made.read({ raw: Buffer.from('a\0b'), data: 'x', event: undefined, unclear: true })).toBe('broken');
    expect(reader().made.read({ raw: Buffer.from('ab'), data: undefined, event: undefined, unclear: true })).toBe(
      'pass',
    );
  });

  it('are the same objects if nothing is blocked, and text instead of a blocked call', () => {
    const { made, frames } = reader();
    const held = frames(chunkOf([callPart(HOSTILE, SIGNED), callPart({ path: 'a' })], 'STOP'));
    for (const frame of held) made.read(frame);
    made.complete();
    const [edited] = dataOf(made.release(held, [verdict('0', true), verdict('1', false)]));
    expect(partsOf([edited as object])).toEqual([{ text: 'refused' }, { ...callPart({ path: 'a' }), ...SIGNED }]);
    const again = reader();
    const kept = again.frames(chunkOf([callPart({ path: 'a' })], 'STOP'));
    for (const frame of kept) again.made.read(frame);
    expect(again.made.release(kept, [verdict('0', false)])).toBe(kept);
  });

  it('of a second reply continue the first: its ids, the sum of the usage, and a gap before its text', () => {
    const { made, frames } = reader();
    const first = frames(chunkOf([{ text: 'I try.' }]), chunkOf([callPart(HOSTILE)], 'STOP'));
    for (const frame of first) made.read(frame);
    const next = made.splice(first, 1);
    expect(next.interesting).toBeUndefined();
    const second = frames(
      chunkOf([{ text: 'hm', thought: true }], undefined, { responseId: 'resp-2' }),
      chunkOf([{ text: 'Sorry.' }]),
      chunkOf([{ text: 'More.' }], 'STOP'),
    );
    expect(second.map((frame) => next.read(frame))).toEqual(['rewrite', 'rewrite', 'rewrite']);
    const pieces = dataOf(second.flatMap((frame) => next.rewrite(frame)));
    expect(pieces.map((piece) => piece['responseId'])).toEqual(['resp-1', 'resp-1', 'resp-1']);
    expect(pieces.map((piece) => piece['usageMetadata'].totalTokenCount)).toEqual([14, 14, 14]);
    expect(pieces.map((piece) => partsOf([piece]).map((part) => part.text))).toEqual([
      ['hm'],
      ['\n\n', 'Sorry.'],
      ['More.'],
    ]);
    const silent = made.splice(first, 0);
    const [only] = frames(chunkOf([{ text: 'Sorry.' }]));
    silent.read(only as Frame);
    expect(partsOf(dataOf(silent.rewrite(only as Frame)))).toEqual([{ text: 'Sorry.' }]);
  });

  it('end with a note or an error', () => {
    const { made, read } = reader();
    read(chunkOf([{ text: 'a' }]));
    expect(dataOf(made.conclude('no'))).toEqual([
      {
        candidates: [{ content: { role: 'model', parts: [{ text: 'no' }] }, finishReason: 'STOP', index: 0 }],
        responseId: 'resp-1',
        modelVersion: 'gemini-x',
      },
    ]);
    expect([made.ended, made.interesting, ...read(chunkOf([{ text: 'late' }]))]).toEqual([true, undefined, 'drop']);
    const wrapped = reader();
    wrapped.read({ response: chunkOf([{ text: 'a' }]) });
    expect(dataOf(wrapped.made.conclude('no'))[0]).toHaveProperty('response.candidates');
    expect(dataOf(reader().made.fail('broken'))).toEqual([
      { error: { code: 500, message: 'broken', status: 'INTERNAL' } },
    ]);
  });

  it('are read alone', () => {
    const [frame, odd] = reader().frames(chunkOf([{ text: 'a' }]), '{');
    expect(readFrame(frame as Frame)?.candidates).toHaveLength(1);
    expect(readFrame(odd as Frame)).toBeUndefined();
    expect(readFrame({ ...(frame as Frame), data: undefined })).toBeUndefined();
  });
});
