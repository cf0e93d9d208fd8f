import { describe, expect, it } from 'vitest';
import { allowAll, blockOutside, everyCut, openStream, play, sseData } from '../testing.ts';
import { judgeCalls } from '../../proxy/judge-calls.ts';
import { gemini } from './gemini.ts';
import { readPayload, TRACE_OF_A_CALL } from './payload.ts';
import { callPart, chunkOf, HOSTILE, partsOf, sseOf, streamedCall } from './testing.ts';

const TEXT = JSON.stringify(chunkOf([callPart(HOSTILE)], 'STOP'));
const CALL = '{"name":"w","args":{"path":"/etc/x"}}';
const inPart = (part: string): string => `{"candidates":[{"content":{"parts":[${part}]},"finishReason":"STOP"}]}`;

/** Replies in which some client would find a call that the judge blocks. */
const WRITTEN: Record<string, string> = {
  'as it should be': TEXT,
  'snake case': TEXT.replace('functionCall', 'function_call').replace('finishReason', 'finish_reason'),
  'an escaped letter': TEXT.replace('functionCall', 'f\\u0075nctionCall'),
  'an escaped letter in capitals': TEXT.replace('functionCall', 'function\\u0043all'),
  'an escaped underscore': TEXT.replace('functionCall', 'function\\u005Fcall'),
  'other letter case': TEXT.replace('functionCall', 'FunctionCall'),
  'all capitals': TEXT.replace('functionCall', 'FUNCTION_CALL'),
  'parts in other letter case': TEXT.replace('"parts"', '"Parts"'),
  'args in other letter case': TEXT.replace('"args"', '"Args"'),
  'both spellings': inPart(`{"functionCall":{"name":"w","args":{}},"function_call":${CALL}}`),
  'both spellings, the harmless one last': inPart(`{"functionCall":${CALL},"function_call":{"name":"w","args":{}}}`),
  'an escaped letter, and no end': `{"candidates":[{"content":{"parts":[{"\\u0066unctionCall":${CALL}}]}}]}`,
  'a key twice': inPart(`{"functionCall":${CALL},"functionCall":{"name":"w","args":{}}}`),
  'parts twice': `{"candidates":[{"content":{"parts":[{"functionCall":${CALL}}],"parts":[]}}]}`,
  'an argument twice': inPart('{"functionCall":{"name":"w","args":{"path":"/etc/x","path":"a"}}}'),
  'beside text': inPart(`{"text":"hi","functionCall":${CALL}}`),
  'in a thought': inPart(`{"thought":true,"functionCall":${CALL}}`),
  'without a name': inPart('{"functionCall":{"args":{"path":"/etc/x"}}}'),
  'arguments as text': inPart('{"functionCall":{"name":"w","args":"{\\"path\\":\\"/etc/x\\"}"}}'),
  'arguments by another name': inPart('{"functionCall":{"name":"w","arguments":{"path":"/etc/x"}}}'),
  'a list of calls': inPart(`{"functionCalls":[${CALL}]}`),
  'a call that is a list': inPart(`{"functionCall":[${CALL}]}`),
  'parts that are no list': `{"candidates":[{"content":{"parts":{"functionCall":${CALL}}}}]}`,
  'content that is a list': `{"candidates":[{"content":[{"parts":[{"functionCall":${CALL}}]}]}]}`,
  'candidates that are no list': `{"candidates":{"content":{"parts":[{"functionCall":${CALL}}]}}}`,
  'at the top': `{"functionCalls":[${CALL}]}`,
  'in the candidate': `{"candidates":[{"functionCall":${CALL}}]}`,
  'a second response inside': `{"candidates":[],"response":{"candidates":[{"content":{"parts":[{"functionCall":${CALL}}]}}]}}`,
  'wrapped as Code Assist does': `{"response":${TEXT},"traceId":"t"}`,
  'the second candidate': `{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"},{"index":1,"content":{"parts":[{"functionCall":${CALL}}]},"finishReason":"STOP"}]}`,
  'not finished': inPart('{"functionCall":{"name":"w","willContinue":true,"args":{"path":"/etc/x"}}}'),
  'args and partialArgs': inPart(
    '{"functionCall":{"name":"w","args":{"path":"a"},"partialArgs":[{"jsonPath":"$.path","stringValue":"/etc/x"}]}}',
  ),
  'args beside harmless partialArgs': inPart(
    '{"functionCall":{"name":"w","args":{"path":"/etc/x"},"partialArgs":[{"jsonPath":"$.path","stringValue":"a"}]}}',
  ),
  'partialArgs in snake case': inPart(
    '{"function_call":{"name":"w","partial_args":[{"json_path":"$.path","string_value":"/etc/x"}]}}',
  ),
  'partialArgs without a call': inPart(
    '{"functionCall":{"partialArgs":[{"jsonPath":"$.path","stringValue":"/etc/x"}]}}',
  ),
  'a quoted path': inPart(
    `{"functionCall":{"name":"w","partialArgs":[{"jsonPath":"$['path']","stringValue":"/etc/x"}]}}`,
  ),
  'two values': inPart(
    '{"functionCall":{"name":"w","partialArgs":[{"jsonPath":"$.path","stringValue":"a"},{"jsonPath":"$.path","stringValue":"/etc/x"}]}}',
  ),
  'cut off': TEXT.slice(0, -3),
  'after a string that hides it': `{"x":"\\\\","candidates":[{"content":{"parts":[{"functionCall":${CALL}}]}}]}`,
};

describe.each(Object.entries(WRITTEN))('a blocked call written: %s', (_, text) => {
  it('does not get out of a stream at any cut', () => {
    for (const pieces of everyCut(Buffer.from(`data: ${text}\n\n`))) {
      const out = play(openStream(gemini, blockOutside), pieces);
      expect(out.includes('/etc/')).toBe(false);
    }
  });

  it('does not get out of an array', () => {
    const out = play(
      openStream(gemini, blockOutside, { contentType: 'application/json', url: '/v1/models/x:streamGenerateContent' }),
      [Buffer.from(`[${text}]`)],
    );
    expect(out.includes('/etc/')).toBe(false);
  });

  it('does not get out of a reply in one piece', () => {
    const bytes = Buffer.from(text);
    const reading = gemini.readBody(bytes);
    expect(reading.kind).not.toBe('plain');
    if (reading.kind !== 'calls') return;
    const verdicts = judgeCalls(reading.calls, blockOutside, true);
    expect(gemini.rewriteBody(bytes, verdicts).includes('/etc/')).toBe(false);
  });
});

describe('other hiding places', () => {
  const leaks = (stream: string) => {
    for (const pieces of everyCut(Buffer.from(stream)))
      if (play(openStream(gemini, blockOutside), pieces).includes('/etc/')) return true;
    return false;
  };
  it('a bare CR, a comment to some, several data lines, no blank line at the end', () => {
    expect(leaks(`data: ${TEXT.replace('"content"', '\r\r"content"')}\n\n`)).toBe(false);
    expect(leaks(`data: ${TEXT.replace('"content":', '"content"\r:')}\n\n`)).toBe(false);
    expect(leaks(`data: [\ndata: ${TEXT}\ndata: ]\n\n`)).toBe(false);
    expect(leaks(`data: ${TEXT}`)).toBe(false);
    expect(leaks(sseOf([chunkOf([{ text: '' }], 'STOP'), chunkOf([callPart(HOSTILE)])]).toString())).toBe(false);
  });

  it('UTF-16, which Python reads as JSON', () => {
    const bytes = Buffer.from(TEXT, 'utf16le');
    expect(gemini.readBody(bytes).kind).toBe('broken');
    const url = '/v1/models/x:streamGenerateContent';
    const out = play(openStream(gemini, blockOutside, { contentType: 'application/json', url }), [bytes]);
    expect(out.includes(bytes.subarray(2, 40))).toBe(false);
  });

  it('an array in an array, no array, two arrays, something behind the array', () => {
    for (const text of [
      `[[${TEXT}]]`,
      TEXT,
      `[][${TEXT}]`,
      `[{}] ${TEXT}`,
      `[{},,${TEXT}]`,
      `[1,${TEXT}]`,
      `x[${TEXT}]`,
    ]) {
      const url = '/v1/models/x:streamGenerateContent';
      for (const pieces of everyCut(Buffer.from(text))) {
        const run = openStream(gemini, blockOutside, { contentType: 'application/json', url });
        expect(play(run, pieces).includes('/etc/')).toBe(false);
      }
    }
  });
});

describe('streamed arguments', () => {
  const readings = (entries: readonly object[]) => {
    const run = openStream(gemini, allowAll);
    const out = play(run, [sseOf([...streamedCall('w', entries), chunkOf([{ text: '' }], 'STOP')])]);
    return {
      judged: run.judged.map((call) => call.arguments),
      allowed: partsOf(sseData(out)).some((part) => part.functionCall),
    };
  };
  const string = (jsonPath: string, stringValue: string, willContinue?: boolean) => ({
    jsonPath,
    stringValue,
    ...(willContinue && { willContinue }),
  });

  it('are put together as a client does', () => {
    const entries = [
      string('$.path', '/home/', true),
      string('$.path', 'u/x', true),
      { jsonPath: '$.path' },
      { jsonPath: '$.edits[0].n', numberValue: 3 },
      { jsonPath: '$.edits[1].ok', boolValue: false },
      { jsonPath: '$.edits[1].none', nullValue: 'NULL_VALUE' },
      { jsonPath: '$.tags[]' },
      { jsonPath: '$.map' },
    ];
    expect(readings(entries)).toEqual({
      judged: [{ path: '/home/u/x', edits: [{ n: 3 }, { ok: false, none: null }], tags: [], map: {} }],
      allowed: true,
    });
  });

  it('are read in both ways where clients differ in what a path means', () => {
    expect(readings([string(`$.files['src/a.ts']`, 'x')]).judged).toEqual([
      { files: { 'src/a.ts': 'x' } },
      { files: { "ts']": 'x' } },
    ]);
    expect(readings([string(`$['path']`, 'x')]).judged).toEqual([{ path: 'x' }, { $: 'x' }]);
  });

  it.each<[string, readonly object[]]>([
    ['a value twice', [string('$.path', 'a'), string('$.path', 'b')]],
    ['a value of two kinds', [{ jsonPath: '$.path', stringValue: 'a', numberValue: 1 }]],
    ['a value of another type', [{ jsonPath: '$.path', stringValue: 1 }]],
    ['a kind nobody knows', [{ jsonPath: '$.path', structValue: { path: 'x' } }]],
    ['a path through a value', [string('$.a', 'x'), string('$.a.b', 'x')]],
    ['a gap in a list', [string('$.a[7]', 'x')]],
    ['a wildcard', [string('$..path', 'x')]],
    ['the prototype', [string('$.__proto__.path', 'x')]],
    ['no path', [string('path', 'x')]],
  ])('are blocked unread: %s', (_, entries) => {
    expect(readings(entries).allowed).toBe(false);
  });

  it.each<[string, readonly object[]]>([
    [
      'a call inside another',
      [chunkOf([{ functionCall: { name: 'w', willContinue: true } }]), chunkOf([callPart({})])],
    ],
    [
      'a call that goes on in another candidate',
      [
        chunkOf([{ functionCall: { name: 'w', willContinue: true } }]),
        { candidates: [{ index: 1, content: { parts: [{ functionCall: {} }] }, finishReason: 'STOP' }] },
      ],
    ],
    [
      'a call that goes on under another id',
      [
        chunkOf([{ functionCall: { id: 'a', name: 'w', willContinue: true } }]),
        chunkOf([{ functionCall: { id: 'b' } }]),
      ],
    ],
  ])('are refused if clients differ in the call to which they belong: %s', (_, chunks) => {
    const out = play(openStream(gemini, allowAll), [sseOf([...chunks, chunkOf([{ text: '' }], 'STOP')])]);
    expect(partsOf(sseData(out)).some((part) => part.functionCall)).toBe(false);
    expect(out.includes('can be read in more than one way')).toBe(true);
  });

  it('are refused while their end is missing', () => {
    const run = openStream(gemini, allowAll);
    const chunks = streamedCall('w', [string('$.path', 'a')]).slice(0, -1);
    const out = play(run, [sseOf([...chunks, chunkOf([{ text: '' }], 'MAX_TOKENS')])]);
    expect(partsOf(sseData(out)).some((part) => part.functionCall)).toBe(false);
    expect(out.includes('not valid JSON')).toBe(true);
  });
});

describe('a reply that never ends', () => {
  it('keeps nothing of the calls that went out', () => {
    const run = openStream(gemini, allowAll);
    const frame = sseOf([chunkOf([callPart({ text: 'x'.repeat(10_000) })])]);
    for (let round = 0; round < 200; round++) run.guard.push(frame);
    expect(run.out().length).toBe(200 * frame.length);
    expect(run.budget.used).toBe(0);
  });

  it('is stopped where a call is always about to end, and where a path leads ever deeper', () => {
    const piece = { jsonPath: '$.path', stringValue: 'x', willContinue: true };
    const start = { functionCall: { name: 'w', willContinue: true } };
    const more = Array.from({ length: 100 }, () => chunkOf([{ functionCall: { partialArgs: [piece] } }]));
    const end = chunkOf([{ functionCall: {} }], 'STOP');
    const often = play(openStream(gemini, allowAll), [sseOf([chunkOf([start]), ...more, end])]);
    expect(partsOf(sseData(often)).some((part) => part.functionCall)).toBe(false);
    const deep = chunkOf(
      [{ functionCall: { partialArgs: [{ jsonPath: `$${'.a'.repeat(50_000)}`, boolValue: true }] } }],
      'STOP',
    );
    const out = play(openStream(gemini, allowAll), [sseOf([chunkOf([start]), deep])]);
    expect(partsOf(sseData(out)).some((part) => part.functionCall)).toBe(false);
  });

  it('is stopped where it is nested too deep to be written again', () => {
    const text = JSON.stringify(chunkOf([callPart(HOSTILE), callPart({ x: 'DEEP' })], 'STOP'));
    const stream = `data: ${text.replace('"DEEP"', '['.repeat(100_000) + ']'.repeat(100_000))}\n\n`;
    const out = play(openStream(gemini, blockOutside), [Buffer.from(stream)]);
    expect(sseData(out)).toMatchObject([{ error: { status: 'INTERNAL' } }]);
  });
});

describe('the payload of a reply', () => {
  const CALL = { functionCall: { name: 'w', args: { functionCall: { a: 1 } } } };
  const read = (payload: object) => readPayload(payload as Record<string, unknown>);
  const one = (candidate: object) => read({ candidates: [candidate] })?.candidates[0];

  it('has candidates with their parts', () => {
    const part = { ...CALL, thoughtSignature: 's' };
    const content = { role: 'model', parts: [{ text: 'a' }, part] };
    const found = read({ candidates: [{ content, finishReason: 'STOP', index: 3 }, {}] });
    expect(found).toMatchObject({
      wrapped: false,
      candidates: [
        { key: '3', content, finish: 'STOP' },
        { key: '1', content: undefined, parts: [] },
      ],
    });
    expect(found?.candidates[0]?.parts).toEqual([
      { part: { text: 'a' }, call: undefined, signature: undefined },
      { part, call: CALL.functionCall, signature: 's' },
    ]);
  });

  it('may be in a member of its own', () => {
    const response = { candidates: [{ content: { parts: [CALL] } }] };
    expect(read({ response })).toMatchObject({
      wrapped: true,
      root: response,
      candidates: [{ parts: [{ call: { name: 'w' } }] }],
    });
    expect(read({ candidates: [], response })).toBeUndefined();
    expect(read({})).toMatchObject({ wrapped: false, candidates: [] });
  });

  it.each([
    ['STOP', 'STOP'],
    [1, '1'],
    ['', undefined],
    [0, undefined],
    ['0', undefined],
    ['FINISH_REASON_UNSPECIFIED', undefined],
    [null, undefined],
    [{}, undefined],
  ])('with the finish reason %j ends by %s', (finishReason, expected) => {
    expect(one({ finishReason })?.finish).toBe(expected);
  });

  it('has no content without parts', () => {
    expect(one({ content: { parts: [] } })?.content).toBeUndefined();
    expect(one({ content: { parts: [{ text: 'a' }] } })?.content).toEqual({ parts: [{ text: 'a' }] });
  });

  it.each<[string, object]>([
    ['candidates that are not a list', { candidates: {} }],
    ['a candidate that is not an object', { candidates: ['x'] }],
    ['a name in another case', { Candidates: [] }],
    ['a name in both spellings', { candidates: [{ finishReason: 'a', finish_reason: 'b' }] }],
    ['content that is not an object', { candidates: [{ content: 'x' }] }],
    ['parts that are not a list', { candidates: [{ content: { parts: {} } }] }],
    ['a part that is not an object', { candidates: [{ content: { parts: ['x'] } }] }],
    ['a call that is not an object', { candidates: [{ content: { parts: [{ functionCall: 'x' }] } }] }],
    ['a call beside the parts', { candidates: [CALL] }],
    ['calls in a list', { functionCalls: [{ name: 'w' }] }],
    ['a call at a depth', { other: [{ deep: { function_call: { name: 'w' } } }] }],
  ])('cannot be read with %s', (_, payload) => {
    expect(read(payload)).toBeUndefined();
  });

  it('may have an empty member of that name', () => {
    expect(read({ functionCalls: [], other: { functionCall: {} }, also: { functionCall: 'text' } })).toBeDefined();
  });
});

it('finds every text with a call', () => {
  for (const text of ['functionCall', 'FUNCTION_CALL', '\\u0066unction', '\\u007a'])
    expect(TRACE_OF_A_CALL.test(text), text).toBe(true);
  for (const text of ['function', '\\u003c', '\\u00e9']) expect(TRACE_OF_A_CALL.test(text), text).toBe(false);
});
