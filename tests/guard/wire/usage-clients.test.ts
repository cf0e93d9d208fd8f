import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventsOf, responseOf } from '../../../packages/guard/src/wire/openai-responses/testing.ts';
import { blockStart, blockStop, framesOf, json, text } from '../../../packages/guard/src/wire/anthropic/testing.ts';
import { type FakeReply, type GuardedPair, sseOf, startGuarded } from './fake-upstream.ts';

let pair: GuardedPair;
beforeEach(async () => {
  pair = await startGuarded();
});
afterEach(() => pair.close());

const ARGUMENTS = '{"path":"/etc/cron.d/x"}';
const SSE = { 'content-type': 'text/event-stream' };
const MESSAGES = [{ role: 'user' as const, content: 'go' }];
/** Two refused replies, and the one that reaches the client: 1, 10 and 100 of every count. */
const COSTS = [1, 10, 100];
const streamOf = (frames: readonly string[]): FakeReply => ({ headers: SSE, body: frames });
const jsonOf = (body: object): FakeReply => ({ body: JSON.stringify(body) });

function chatReply(cost: number, streamed: boolean): FakeReply {
  const usage = {
    prompt_tokens: cost,
    completion_tokens: cost * 2,
    total_tokens: cost * 3,
    prompt_tokens_details: { cached_tokens: cost },
  };
  const call = { index: 0, id: `call_${cost}`, type: 'function', function: { name: 'w', arguments: ARGUMENTS } };
  const about = { id: `c${cost}`, object: 'chat.completion', created: 1, model: 'm' };
  const said = cost === 100 ? { content: 'done' } : { content: null, tool_calls: [call] };
  const finish_reason = cost === 100 ? 'stop' : 'tool_calls';
  if (!streamed)
    return jsonOf({ ...about, choices: [{ index: 0, message: { role: 'assistant', ...said }, finish_reason }], usage });
  const chunk = { ...about, object: 'chat.completion.chunk' };
  return streamOf(
    sseOf([
      { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', ...said }, finish_reason: null }], usage: null },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage: null },
      { ...chunk, choices: [], usage },
      '[DONE]',
    ]),
  );
}

function responsesReply(cost: number, streamed: boolean): FakeReply {
  const usage = {
    input_tokens: cost,
    input_tokens_details: { cached_tokens: cost },
    output_tokens: cost * 2,
    output_tokens_details: { reasoning_tokens: cost },
    total_tokens: cost * 3,
  };
  const item =
    cost === 100
      ? {
          id: 'm',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'done', annotations: [] }],
        }
      : {
          id: `f${cost}`,
          type: 'function_call',
          call_id: `c${cost}`,
          name: 'w',
          arguments: ARGUMENTS,
          status: 'completed',
        };
  if (!streamed) return jsonOf(responseOf(`r${cost}`, [item], { usage }));
  return streamOf(sseOf(eventsOf(`r${cost}`, [{ item }] as never, { usage })));
}

function anthropicReply(cost: number, streamed: boolean): FakeReply {
  const usage = {
    input_tokens: cost,
    cache_read_input_tokens: cost,
    cache_creation_input_tokens: null,
    output_tokens: 1,
  };
  const about = { id: `m${cost}`, type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
  const stop_reason = cost === 100 ? 'end_turn' : 'tool_use';
  const call = { type: 'tool_use', id: `t${cost}`, name: 'w', input: {} };
  if (!streamed) {
    const block = cost === 100 ? { type: 'text', text: 'done' } : { ...call, input: JSON.parse(ARGUMENTS) as object };
    return jsonOf({ ...about, content: [block], stop_reason, usage: { ...usage, output_tokens: cost * 2 } });
  }
  return streamOf(
    framesOf([
      { type: 'message_start', message: { ...about, content: [], stop_reason: null, usage } },
      ...(cost === 100 ? text(0, 'done') : [blockStart(0, call), json(0, ARGUMENTS), blockStop(0)]),
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: cost * 2 } },
      { type: 'message_stop' },
    ]),
  );
}

function geminiReply(cost: number, streamed: boolean): FakeReply {
  const usageMetadata = {
    promptTokenCount: cost,
    candidatesTokenCount: cost * 2,
    totalTokenCount: cost * 3,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: cost }],
  };
  const part = cost === 100 ? { text: 'done' } : { functionCall: { name: 'w', args: JSON.parse(ARGUMENTS) as object } };
  const chunk = (parts: readonly object[], more: object) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    responseId: `r${cost}`,
  });
  if (!streamed) return jsonOf({ ...chunk([part], { finishReason: 'STOP' }), usageMetadata });
  return streamOf(
    sseOf([
      { ...chunk([part], {}), usageMetadata: { promptTokenCount: cost } },
      { ...chunk([{ text: '' }], { finishReason: 'STOP' }), usageMetadata },
    ]),
  );
}

const openai = () => new OpenAI({ apiKey: 'k', baseURL: `${pair.url}/v1`, maxRetries: 0 });
const anthropic = () => new Anthropic({ apiKey: 'k', baseURL: pair.url, maxRetries: 0 });
const genai = () => new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: pair.url } });

/** By client: upstream's reply, the usage that the client reports, and the expected usage. */
const CLIENTS: Record<
  string,
  [(cost: number, streamed: boolean) => FakeReply, (streamed: boolean) => Promise<unknown>, object]
> = {
  'openai, chat': [
    chatReply,
    async (streamed) => {
      if (!streamed) return (await openai().chat.completions.create({ model: 'm', messages: MESSAGES })).usage;
      const stream = openai().chat.completions.stream({
        model: 'm',
        messages: MESSAGES,
        stream_options: { include_usage: true },
      });
      return (await stream.finalChatCompletion()).usage;
    },
    {
      prompt_tokens: 111,
      completion_tokens: 222,
      total_tokens: 333,
      prompt_tokens_details: { cached_tokens: 111 },
    },
  ],
  'openai, responses': [
    responsesReply,
    async (streamed) =>
      streamed
        ? (await openai().responses.stream({ model: 'm', input: 'go' }).finalResponse()).usage
        : (await openai().responses.create({ model: 'm', input: 'go' })).usage,
    {
      input_tokens: 111,
      input_tokens_details: { cached_tokens: 111 },
      output_tokens: 222,
      output_tokens_details: { reasoning_tokens: 111 },
      total_tokens: 333,
    },
  ],
  anthropic: [
    anthropicReply,
    async (streamed) => {
      const asked = { model: 'm', max_tokens: 9, messages: MESSAGES };
      return (
        streamed ? await anthropic().messages.stream(asked).finalMessage() : await anthropic().messages.create(asked)
      ).usage;
    },
    { input_tokens: 111, cache_read_input_tokens: 111, cache_creation_input_tokens: null, output_tokens: 222 },
  ],
  genai: [
    geminiReply,
    async (streamed) => {
      const asked = { model: 'm', contents: 'go' };
      if (!streamed) return (await genai().models.generateContent(asked)).usageMetadata;
      let usage: unknown;
      for await (const chunk of await genai().models.generateContentStream(asked)) usage = chunk.usageMetadata ?? usage;
      return usage;
    },
    {
      promptTokenCount: 111,
      candidatesTokenCount: 222,
      totalTokenCount: 333,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 111 }],
    },
  ],
};

describe.each(Object.entries(CLIENTS))('what %s says a reply cost', (_, [reply, run, total]) => {
  it.each([
    ['streamed', true],
    ['in one piece', false],
  ])('is the sum of all answers that were asked for, %s', async (__, streamed) => {
    pair.upstream.replies = COSTS.map((cost) => reply(cost, streamed));
    expect(await run(streamed)).toEqual(total);
    expect(pair.upstream.requests).toHaveLength(3);
  });

  it.each([
    ['streamed', true],
    ['in one piece', false],
  ])('is that of the one answer where asking again failed, %s', async (__, streamed) => {
    pair.upstream.replies = [reply(1, streamed), { status: 500, body: '{"error":{"message":"down"}}' }];
    expect(JSON.stringify(await run(streamed))).not.toMatch(/111|222/);
  });
});
