import { describe, expect, it } from 'vitest';
import { blockOutside } from '../testing.ts';
import { judgeCalls } from '../../proxy/judge-calls.ts';
import { openSse } from '../../framing/sse.ts';
import { gemini } from './gemini.ts';
import { callPart, chunkOf, HOSTILE, partsOf, sseOf, streamedCall } from './testing.ts';

const REQUEST =
  '{"contents":[{"role":"user","parts":[{"text":"go"}]}],"generationConfig":{"seed":12345678901234567890}}';
const bodyOf = (payload: object): Buffer => Buffer.from(JSON.stringify(payload));
const verdictsOn = (body: Buffer) => {
  const reading = gemini.readBody(body);
  return judgeCalls(reading.kind === 'calls' ? reading.calls : [], blockOutside, true);
};
interface Content {
  readonly role: string;
  readonly parts: readonly Record<string, unknown>[];
}
const contentsOf = (again: ReturnType<typeof gemini.retryRequest>): Content[] =>
  (JSON.parse(again?.toString() ?? '{}') as { contents: Content[] }).contents;

describe('asking again', () => {
  const turn = [
    { text: 'thinking', thought: true },
    { text: 'I try.' },
    { functionCall: { id: 'f1', name: 'write_file', args: HOSTILE }, thoughtSignature: 'c2ln' },
    { functionCall: { name: 'write_file', args: HOSTILE } },
  ];

  it('carries the content as it was and a response for each call, and leaves the request as it was', () => {
    const body = bodyOf(chunkOf(turn, 'STOP'));
    const again = gemini.retryRequest(Buffer.from(REQUEST), { body }, verdictsOn(body));
    expect(again?.toString()).toContain('"seed":12345678901234567890');
    const contents = contentsOf(again);
    expect(contents.map((content) => content.role)).toEqual(['user', 'model', 'user']);
    expect(contents[1]?.parts).toEqual(turn);
    const error = expect.stringContaining('outside the project directory') as string;
    expect(contents[2]?.parts).toEqual([
      { functionResponse: { id: 'f1', name: 'write_file', response: { error } } },
      { functionResponse: { name: 'write_file', response: { error } } },
    ]);
  });

  it('joins what came in pieces: text, and streamed arguments into the call a history has', () => {
    const bytes = sseOf([
      chunkOf([{ text: 'I ' }]),
      chunkOf([{ text: 'try.' }]),
      ...streamedCall('w', [
        { jsonPath: '$.path', stringValue: '/etc/', willContinue: true },
        { jsonPath: '$.path', stringValue: 'x' },
      ]),
      chunkOf([{ text: '', thoughtSignature: 'bGFzdA==' }]),
      chunkOf([{ text: '' }], 'STOP'),
    ]);
    const frames = openSse().split(bytes);
    const contents = contentsOf(gemini.retryRequest(Buffer.from(REQUEST), { frames }, []));
    expect(contents[1]?.parts).toEqual([
      { text: 'I try.' },
      { functionCall: { name: 'w', args: { path: '/etc/x' } }, thoughtSignature: 'c2ln' },
      { text: '', thoughtSignature: 'bGFzdA==' },
    ]);
    expect(contents[2]?.parts).toEqual([{ functionResponse: { name: 'w', response: { error: 'Not executed.' } } }]);
  });

  it('keeps the numbers of the turn and of the request as they were written', () => {
    const body = Buffer.from(
      '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"w","args":{"n":9007199254740993,"path":"/etc/x"}}}]}}]}',
    );
    const again = gemini.retryRequest(Buffer.from(REQUEST), { body }, verdictsOn(body))?.toString() ?? '';
    expect(again).toContain('"n":9007199254740993');
  });

  it('goes into the inner request of Code Assist', () => {
    const body = bodyOf({ response: chunkOf(turn, 'STOP'), traceId: 't' });
    const again = gemini.retryRequest(Buffer.from(`{"model":"m","request":${REQUEST}}`), { body }, verdictsOn(body));
    const { model, request } = JSON.parse(again?.toString() ?? '{}') as {
      model: string;
      request: { contents: Content[] };
    };
    expect(model).toBe('m');
    expect(request.contents).toHaveLength(3);
  });

  it.each([
    ['several candidates asked for', REQUEST.replace('"seed"', '"candidateCount":2,"seed"'), chunkOf(turn)],
    ['a continuation', REQUEST.replace('{"contents"', '{"continuationToken":"t","contents"'), chunkOf(turn)],
    ['an answer to be continued', REQUEST, chunkOf(turn, 'CONTINUATION')],
    ['no contents', '{}', chunkOf(turn)],
    ['no JSON', 'x', chunkOf(turn)],
    [
      'several candidates',
      REQUEST,
      { candidates: [{ content: { parts: turn } }, { content: { parts: turn }, index: 1 }] },
    ],
    ['no call', REQUEST, chunkOf([{ text: 'x' }])],
  ])('is not done with %s', (_, request, payload) => {
    const body = bodyOf(payload);
    expect(gemini.retryRequest(Buffer.from(request), { body }, verdictsOn(body))).toBeUndefined();
  });
});

describe('a reply in one piece', () => {
  const rewritten = (payload: object) => {
    const body = bodyOf(payload);
    return JSON.parse(gemini.rewriteBody(body, verdictsOn(body)).toString()) as object;
  };

  it('without calls is plain', () => {
    for (const part of [{ text: 'functionCall' }, { functionCall: null }, { toolCall: { args: { path: '/etc/x' } } }])
      expect(gemini.readBody(bodyOf(chunkOf([part]))).kind).toBe('plain');
    expect(gemini.readBody(Buffer.from('{}')).kind).toBe('plain');
  });

  it('keeps the allowed calls, and the signature on the first of them', () => {
    const payload = rewritten(
      chunkOf(
        [callPart(HOSTILE, { thoughtSignature: 'c2ln' }), callPart({ path: 'a' }), callPart({ path: 'b' })],
        'STOP',
      ),
    );
    const [note, ...calls] = partsOf([payload]);
    expect(note?.text).toMatch(/^\[Croft guard: the call to write_file was refused/);
    expect(note).not.toHaveProperty('thoughtSignature');
    expect(calls).toEqual([callPart({ path: 'a' }, { thoughtSignature: 'c2ln' }), callPart({ path: 'b' })]);
    expect(payload).toMatchObject({ responseId: 'resp-1', usageMetadata: { totalTokenCount: 7 } });
  });

  it('leaves a signature where it is when the first call is allowed, and gives none to another candidate', () => {
    const first = callPart({ path: 'a' }, { thoughtSignature: 'c2ln' });
    expect(partsOf([rewritten(chunkOf([first, callPart(HOSTILE, { thoughtSignature: 'b3RoZXI=' })]))])[0]).toEqual(
      first,
    );
    const two = rewritten({
      candidates: [
        { content: { parts: [callPart(HOSTILE, { thoughtSignature: 'c2ln' })] } },
        { content: { parts: [callPart({ path: 'a' })] }, index: 1 },
      ],
    });
    expect(partsOf([two])[1]).toEqual(callPart({ path: 'a' }));
  });

  it('keeps the text of a part that also calls', () => {
    expect(partsOf([rewritten(chunkOf([callPart(HOSTILE, { text: 'hi' })]))]).map((part) => part.text)).toEqual([
      'hi',
      expect.stringContaining('refused'),
    ]);
  });
});
