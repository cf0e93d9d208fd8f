import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { closeSearchWorkers } from '@croft/workspace';
import { afterAll, afterEach, expect, it } from 'vitest';
import { type Bench, makeBench } from './testing.ts';
import { toOpenAiTools } from './to-openai-tools.ts';

let bench: Bench;
let server: Server;
afterEach(async () => {
  bench.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
afterAll(() => closeSearchWorkers());

interface Asked {
  readonly tools: readonly { function: { name: string; parameters: object } }[];
  readonly messages: readonly { role: string; content: string }[];
}

/** A chat API whose model makes one call and then stops. Gives the requests that it got. */
async function startModel(name: string, args: string): Promise<{ asked: Asked[]; client: OpenAI }> {
  const asked: Asked[] = [];
  server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      asked.push(JSON.parse(Buffer.concat(parts).toString()) as Asked);
      const call = { id: 'call-1', type: 'function', function: { name, arguments: args } };
      const message =
        asked.length === 1
          ? { role: 'assistant', content: null, tool_calls: [call] }
          : { role: 'assistant', content: 'done' };
      const choice = { index: 0, message, finish_reason: asked.length === 1 ? 'tool_calls' : 'stop', logprobs: null };
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ id: '1', object: 'chat.completion', created: 0, model: 'm', choices: [choice] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { asked, client: new OpenAI({ baseURL, apiKey: 'x' }) };
}

const run = (client: OpenAI) =>
  client.chat.completions
    .runTools({
      model: 'm',
      messages: [{ role: 'user', content: 'Do it.' }],
      tools: toOpenAiTools(bench.table) as never,
    })
    .finalContent();

it('the openai package offers the tools, runs the call and sends its text back', async () => {
  bench = makeBench('files', ['a.txt = hello']);
  const { asked, client } = await startModel('read_file', '{"path":"a.txt"}');
  expect(await run(client)).toBe('done');
  expect(asked[0]?.tools.map((tool) => tool.function.name)).toContain('edit_file');
  expect(asked[0]?.tools[0]?.function.parameters).toMatchObject({ type: 'object', required: ['path'] });
  const answer = asked[1]?.messages.at(-1);
  expect([answer?.role, answer?.content]).toEqual(['tool', expect.stringContaining('hello')]);
});

it.each([
  ['{"path":"../../etc/passwd"}', 'escapes workspace boundary'],
  ['not json', 'Invalid arguments'],
])('the model gets a refusal as a text: %s', async (args, refusal) => {
  bench = makeBench('files');
  const { asked, client } = await startModel('read_file', args);
  expect(await run(client)).toBe('done');
  expect(asked[1]?.messages.at(-1)?.content).toContain(refusal);
});
