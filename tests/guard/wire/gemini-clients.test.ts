import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { ApiError, type CallableTool, type Chat, type FunctionCall, GoogleGenAI, type Part } from '@google/genai';
import { stepCountIs } from 'ai';
import { beforeEach, describe, expect, it } from 'vitest';
import { aiLoops, aiToolsWith, streamErrors } from './ai-loops.ts';
import { type FakeReply, type GuardedPair, useGuarded } from './fake-upstream.ts';
import { testToolLoop } from './tool-loop-tests.ts';
import { chunkOf, streamedCall } from '../../../packages/guard/src/wire/gemini/testing.ts';

let pair: GuardedPair;
let ran: string[];

useGuarded((made) => {
  pair = made;
  ran = [];
});

const HOSTILE = '/etc/cron.d/x';
const SSE = { 'content-type': 'text/event-stream' };
let answers = 0;

/** One reply: its text, then its calls, of which the first is signed. */
function answer(text: string, paths: readonly string[], streamed: boolean): FakeReply {
  const more = { responseId: `resp-${++answers}` };
  const calls = paths.map((path, at) => ({
    functionCall: { id: `f${answers}-${at}`, name: 'write_file', args: { path } },
    ...(at === 0 && { thoughtSignature: 'c2ln' }),
  }));
  const said = text === '' ? [] : [{ text }];
  if (!streamed) return { body: JSON.stringify(chunkOf([...said, ...calls], 'STOP', more)) };
  const chunks = [
    ...said.map((part) => chunkOf([part], undefined, more)),
    ...calls.map((part) => chunkOf([part], undefined, more)),
    chunkOf([{ text: '' }], 'STOP', more),
  ];
  return { headers: SSE, body: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`) };
}

const genai = (options: object = {}) =>
  new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: pair.url }, ...options });
const declaration = {
  name: 'write_file',
  parametersJsonSchema: { type: 'object', properties: { path: { type: 'string' } } },
};
function run(call: FunctionCall): Part {
  ran.push(String(call.args?.path));
  return {
    functionResponse: { ...(call.id && { id: call.id }), name: call.name ?? '', response: { output: 'written' } },
  };
}
const callable: CallableTool = {
  tool: () => Promise.resolve({ functionDeclarations: [declaration] }),
  callTool: (calls) => Promise.resolve(calls.map(run)),
};
// The SDK modifies its argument.
const ask = () => ({ model: 'gemini-x', contents: 'write', config: { tools: [callable] } });

/** A chat that runs the requested tools until a reply has only text. */
async function chatLoop(
  chat: Chat,
  send: (chat: Chat, message: string | Part[]) => Promise<{ text: string; calls: FunctionCall[] }>,
) {
  let message: string | Part[] = 'write';
  for (let round = 0; round < 5; round++) {
    const { text, calls } = await send(chat, message);
    if (calls.length === 0) return text;
    message = calls.map(run);
  }
  throw new Error('it never ends');
}
const newChat = (options?: object) =>
  genai(options).chats.create({ model: 'gemini-x', config: { tools: [{ functionDeclarations: [declaration] }] } });
async function sendStreamed(chat: Chat, message: string | Part[]) {
  let text = '';
  const calls: FunctionCall[] = [];
  for await (const chunk of await chat.sendMessageStream({ message })) {
    text += (chunk.candidates?.[0]?.content?.parts ?? []).map((part) => part.text ?? '').join('');
    calls.push(...(chunk.functionCalls ?? []));
  }
  return { text, calls };
}

const aiTools = aiToolsWith((path) => ran.push(path));
const aiModel = () => createGoogleGenerativeAI({ apiKey: 'k', baseURL: `${pair.url}/v1beta` })('gemini-x');
const aiAsk = () => ({ model: aiModel(), prompt: 'write', tools: aiTools, stopWhen: stepCountIs(5), maxRetries: 0 });

/** Every client, streamed and not, run as a tool loop; returns its last text. */
const LOOPS: Record<string, { streamed: boolean; run: () => Promise<string> }> = {
  'genai generateContent with callable tools': {
    streamed: false,
    run: async () => (await genai().models.generateContent(ask())).text ?? '',
  },
  'genai generateContentStream with callable tools': {
    streamed: true,
    run: async () => {
      let text = '';
      for await (const chunk of await genai().models.generateContentStream(ask())) {
        const content = chunk.candidates?.[0]?.content;
        if (content?.role === 'user') text = '';
        else text += (content?.parts ?? []).map((part) => part.text ?? '').join('');
      }
      return text;
    },
  },
  'genai chat': {
    streamed: false,
    run: () =>
      chatLoop(newChat(), async (chat, message) => {
        const reply = await chat.sendMessage({ message });
        return reply.functionCalls ? { text: '', calls: reply.functionCalls } : { text: reply.text ?? '', calls: [] };
      }),
  },
  'genai chat, streamed': { streamed: true, run: () => chatLoop(newChat(), sendStreamed) },
  'genai chat, streamed from Vertex': {
    streamed: true,
    run: () => chatLoop(newChat({ vertexai: true }), sendStreamed),
  },
  ...aiLoops(aiModel, aiTools),
};

interface SentContent {
  readonly role: string;
  readonly parts: readonly Part[];
}
const sentContents = (at: number): SentContent[] =>
  (JSON.parse(pair.upstream.requests[at]?.body ?? '{}') as { contents: SentContent[] }).contents;
const signedCalls = (contents: readonly SentContent[]) =>
  contents.flatMap((content) => content.parts).filter((part) => part.functionCall);

describe.each(Object.entries(LOOPS))('a tool loop of %s', (_, loop) => {
  const script = (...replies: [string, string[]][]) => {
    pair.upstream.replies = replies.map(([text, paths]) => answer(text, paths, loop.streamed));
  };

  testToolLoop({
    run: loop.run,
    pair: () => pair,
    ran: () => ran,
    answer: (words, paths) => answer(words, paths, loop.streamed),
  });

  it('goes on when the model corrects itself after the refusal', async () => {
    script(['I write.', [HOSTILE]], ['Sorry.', ['src/a.ts']], ['done', []]);
    expect(await loop.run()).toBe('done');
    expect(ran).toEqual(['src/a.ts']);
    const again = sentContents(1);
    expect(again.map((content) => content.role)).toEqual(['user', 'model', 'user']);
    expect(again[1]?.parts.at(-1)).toMatchObject({
      functionCall: { args: { path: HOSTILE } },
      thoughtSignature: 'c2ln',
    });
    expect(JSON.stringify(again[2])).toContain('outside the project directory');
    // The client's history contains the call that ran, with the signature of the second reply.
    const history = signedCalls(sentContents(2));
    expect(history).toHaveLength(1);
    expect(history[0]?.thoughtSignature).toBe('c2ln');
    expect(pair.decisions.map((event) => [event.blocked, event.attempt])).toEqual([
      [true, 0],
      [false, 1],
    ]);
  });

  it('runs the allowed calls beside the refused one, and sends the signature back on the first', async () => {
    script(['', [HOSTILE, 'src/a.ts', 'b.ts']], ['done', []]);
    expect(await loop.run()).toBe('done');
    expect(ran).toEqual(['src/a.ts', 'b.ts']);
    expect(pair.upstream.requests).toHaveLength(2);
    const history = signedCalls(sentContents(1));
    expect(history.map((part) => [part.functionCall?.args?.path, part.thoughtSignature])).toEqual([
      ['src/a.ts', 'c2ln'],
      ['b.ts', undefined],
    ]);
  });
});

describe('a stream with CRLF line ends, refused in the middle', () => {
  const streamOf = ({ headers, body }: FakeReply, cut: (bytes: Buffer) => readonly Buffer[]): FakeReply => ({
    headers: headers ?? {},
    body: cut(Buffer.from((body as readonly string[]).join(''))),
  });
  /** Between the CR and the LF of the blank line that ends the first chunk. */
  const inFirstEnd = (bytes: Buffer): readonly Buffer[] => {
    const end = bytes.indexOf('\r\n\r\n') + 3;
    return [bytes.subarray(0, end), bytes.subarray(end)];
  };
  const intoBytes = (bytes: Buffer): readonly Buffer[] => Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));

  it.each([
    ['cut before a refused call', inFirstEnd],
    ['cut into single bytes', intoBytes],
  ])('is understood by genai: %s', async (_, cut) => {
    const insisted = answer('I write.', [HOSTILE], true);
    pair.upstream.replies = [streamOf(insisted, cut)];
    const { text, calls } = await sendStreamed(newChat(), 'write');
    expect(text).toMatch(/^I write\.[^]*was refused and not run/);
    expect(calls).toEqual([]);
  });
});

describe('a stream that breaks off inside a call', () => {
  beforeEach(() => {
    const chunks = [chunkOf([{ text: 'hi' }]), ...streamedCall('write_file', []).slice(0, 1)];
    pair.upstream.replies = [
      { headers: SSE, body: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`), cut: true },
    ];
  });

  it('makes genai throw its own error', async () => {
    const stream = await genai().models.generateContentStream({ model: 'gemini-x', contents: 'x' });
    const error = await (async () => {
      for await (const _ of stream);
    })().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(String(error)).toContain('broke off');
  });

  it('is an error of the AI SDK, and nothing runs', async () => {
    const errors = await streamErrors(aiAsk());
    expect(String(errors[0])).toContain('broke off');
    expect(ran).toEqual([]);
  });
});

describe('other ways to call', () => {
  const streamedArgs = (path: string): FakeReply => {
    const [start, end] = [path.slice(0, 4), path.slice(4)];
    const chunks = [
      ...streamedCall('write_file', [
        { jsonPath: '$.path', stringValue: start, willContinue: true },
        { jsonPath: '$.path', stringValue: end },
      ]),
      chunkOf([{ text: '' }], 'STOP'),
    ];
    return { headers: SSE, body: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`) };
  };

  it('runs a call whose arguments are streamed only when they are allowed', async () => {
    pair.upstream.replies = [streamedArgs(HOSTILE), streamedArgs('src/a.ts'), answer('done', [], true)];
    expect(await LOOPS['AI SDK streamText']?.run()).toBe('done');
    expect(ran).toEqual(['src/a.ts']);
    expect(sentContents(1)[1]?.parts).toEqual([
      { functionCall: { name: 'write_file', args: { path: HOSTILE } }, thoughtSignature: 'c2ln' },
    ]);
  });

  it('gets one JSON array where no SSE was asked for', async () => {
    const chunks = (...parts: object[]) =>
      `[${[chunkOf(parts), chunkOf([{ text: '' }], 'STOP')].map((chunk) => JSON.stringify(chunk)).join('\n,\r\n')}\n]`;
    const call = (path: string) => ({ functionCall: { name: 'write_file', args: { path } } });
    pair.upstream.replies = [{ body: chunks({ text: 'I write.' }, call(HOSTILE)) }, { body: chunks(call('a.ts')) }];
    const reply = await fetch(`${pair.url}/v1beta/models/x:streamGenerateContent`, {
      method: 'POST',
      body: '{"contents":[]}',
    });
    const text = await reply.text();
    expect(text).not.toContain('/etc/');
    expect(JSON.parse(text)).toMatchObject([{ candidates: [{ content: { parts: [call('a.ts')] } }] }, {}]);
  });

  it('refuses what it cannot read: interactions, batches, the Live API', async () => {
    for (const path of [
      '/v1beta/interactions',
      '/v1beta/models/x:batchGenerateContent',
      '/v1beta/models/x:bidiGenerateContent',
    ]) {
      const reply = await fetch(pair.url + path, { method: 'POST', body: '{}' });
      expect(reply.status).toBe(403);
    }
    expect(pair.upstream.requests).toHaveLength(0);
  });

  it('tells genai why a reply was stopped', async () => {
    const text = JSON.stringify(chunkOf([{ functionCall: { name: 'write_file', args: { path: 'a' } } }]));
    pair.upstream.replies = [{ body: text.replace('functionCall', 'FunctionCall') }];
    const error = await genai()
      .models.generateContent({ model: 'gemini-x', contents: 'x' })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).status).toBe(502);
    expect(String(error)).toContain('cannot be read for certain');
  });
});
