import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CALL_ID } from './model-wires.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';

let model: ScriptedModel;
beforeEach(async () => {
  model = await startScriptedModel([
    { name: 'first', arguments: { a: 1 } },
    { name: 'second', arguments: { b: 2 } },
  ]);
});
afterEach(() => model.close());

const ask = async (path: string, body: unknown, method = 'POST') => {
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${model.url}${path}`, { method, ...(method === 'POST' && { body: sent }) });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
};
const chat = async (body: object) => JSON.parse((await ask('/chat/completions', body)).text);

describe('the local model', () => {
  it('listens on loopback', () => {
    expect(model.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(model.progress()).toBe('silent');
  });

  it('answers with text where none of its tools is offered', async () => {
    expect(await chat({ model: 'x' })).toMatchObject({ model: 'x', choices: [{ message: { content: 'Done.' } }] });
    expect(await chat({})).toMatchObject({ model: 'croft-check' });
    expect(model.progress()).toBe('asked');
  });

  it('calls the first of its tools that is offered, until there is a result', async () => {
    const both = { tools: [{ name: 'second' }, { name: 'first' }] };
    expect(await chat({ tools: [{ name: 'second' }] })).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { name: 'second', arguments: '{"b":2}' } }] } }],
    });
    expect(model.progress()).toBe('called');
    expect(JSON.stringify(await chat(both))).toContain('"name":"first"');
    expect(await chat({ ...both, tool_call_id: CALL_ID })).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    expect(model.progress()).toBe('answered');
    expect(await chat(both)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  });

  it('takes the result of Gemini CLI, which may omit the id', async () => {
    await ask('/models/m:generateContent', { contents: [{ functionResponse: { name: 'first' } }] });
    expect(model.progress()).toBe('answered');
  });

  it('answers with JSON, or with a stream where the request asks for one', async () => {
    expect(await ask('/chat/completions', {})).toMatchObject({ status: 200, type: 'application/json' });
    const streamed = await ask('/chat/completions', { stream: true });
    expect(streamed).toMatchObject({ status: 200, type: 'text/event-stream' });
    expect(streamed.text).toMatch(/^data: \{.*\}\n\ndata: \{.*\}\n\ndata: \[DONE\]\n\n$/);
    const named = await ask('/v1/messages', { stream: true });
    expect(named.text).toMatch(/^event: message_start\ndata: \{"type":"message_start"/);
    expect(named.text).not.toContain('[DONE]');
    const gemini = await ask('/models/m:streamGenerateContent?alt=sse', {});
    expect(gemini.text).toMatch(/^data: \{"candidates"/);
    expect((await ask('/models/m:streamGenerateContent', {})).type).toBe('application/json');
  });

  it('answers nothing else', async () => {
    const notFound = {
      status: 404,
      type: 'application/json',
      text: '{"error":{"type":"not_found","message":"This is the check of croft setup guard"}}',
    };
    expect(await ask('/v1/models', {})).toEqual(notFound);
    expect(await ask('/v1/messages', 'no JSON')).toEqual(notFound);
    expect(await ask('/v1/messages', 'null')).toEqual(notFound);
    expect(await ask('/v1/messages', '4')).toEqual(notFound);
    expect(await ask('/v1/messages', '', 'GET')).toEqual(notFound);
    expect(model.progress()).toBe('silent');
  });

  it('closes the connection of a body that is too long', async () => {
    const body = Buffer.alloc(32 * 1024 * 1024 + 1);
    const answer = new Promise((resolve, reject) => {
      request(`${model.url}/v1/models`, { method: 'POST' }, resolve).on('error', reject).end(body);
    });
    await expect(answer).rejects.toThrow();
  });

  it('ends open connections when it closes', async () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) });
    const open = fetch(`${model.url}/v1/messages`, { method: 'POST', body, duplex: 'half' } as RequestInit);
    const failed = expect(open).rejects.toThrow();
    await expect.poll(() => fetch(`${model.url}/`).then(({ status }) => status)).toBe(404);
    await model.close();
    await failed;
  });
});
