// Flows on `croft serve` from the packed tarballs in an empty home: an export of Langflow is imported and run, the official
// OpenAI client calls a flow, and a queued run survives `kill -9` while a reader leaves its events and resumes them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import { installServer, makeStage } from './installed-croft.mjs';

const stage = makeStage();
const service = await startService();
const bin = installServer(stage);
let server;
let origin;
let token;
try {
  await start();
  await importFromLangflow();
  await callWithOpenAi();
  await killInTheMiddle();
} finally {
  if (server) await end('SIGTERM');
  service.close();
  stage.remove();
}

/** A flow of another builder runs, and what has no counterpart is listed. */
async function importFromLangflow() {
  const node = (id, type, template = {}) => ({
    id,
    type: 'genericNode',
    position: { x: 0, y: 0 },
    data: { id, type, node: { display_name: type, template } },
  });
  const handle = (value) => JSON.stringify(value).replaceAll('"', 'œ');
  const edge = (source, output, target, input) => ({
    source,
    target,
    sourceHandle: handle({ dataType: 'x', id: source, name: output, output_types: ['Message'] }),
    targetHandle: handle({ fieldName: input, id: target, inputTypes: ['Message'], type: 'str' }),
  });
  const source = {
    name: 'Greeting',
    data: {
      nodes: [
        node('ChatInput-a', 'ChatInput'),
        node('Prompt-b', 'Prompt', { template: { value: 'Hello {who}' } }),
        node('ChatOutput-c', 'ChatOutput'),
        node('Spline-d', 'SplineReticulator'),
      ],
      edges: [
        edge('ChatInput-a', 'message', 'Prompt-b', 'who'),
        edge('Prompt-b', 'prompt', 'ChatOutput-c', 'input_value'),
      ],
    },
  };
  const { flow, findings } = await call('POST', '/api/v1/flows/import', { source });
  assert.deepEqual(
    findings.map(({ code, node: id }) => [code, id]),
    [['unmapped', 'Spline-d']],
  );
  const edits = [{ kind: 'remove_component', id: 'Spline-d' }];
  await call('POST', `/api/v1/flows/${flow.id}/edits`, { base: flow.version, edits });
  const { status, text } = await call('POST', `/api/v1/flows/${flow.id}/run`, { message: 'Ada' });
  assert.deepEqual([status, text], ['completed', 'Hello Ada']);
  console.log('an export of Langflow: imported, one component listed as unmapped, run');
}

async function callWithOpenAi() {
  const { flow } = await call('POST', '/api/v1/flows', { template: 'chat' });
  const openai = new OpenAI({ baseURL: `${origin}/api/v1/flows/${flow.id}/openai/v1`, apiKey: token, maxRetries: 0 });
  const messages = [{ role: 'user', content: 'Say "good morning"' }];
  const whole = await openai.chat.completions.create({ model: 'any', messages });
  assert.match(whole.choices[0].message.content, /good morning/);
  let streamed = '';
  for await (const chunk of await openai.chat.completions.create({ model: 'any', messages, stream: true }))
    streamed += chunk.choices[0]?.delta.content ?? '';
  assert.match(streamed, /good morning/);
  console.log('the official OpenAI client: a flow answers it, whole and as a stream');
}

/** The reader leaves before the kill and resumes by id; the request that was answered is not sent again. */
async function killInTheMiddle() {
  const spec = `name: Two requests
nodes:
  A: APIRequest
  B: APIRequest
  T: TypeConverterComponent
  O: ChatOutput
edges:
  A.data -> B.body
  B.data -> T.input_data
  T.message_output -> O.input_value
config:
  A.url_input: http://${service.host}/first
  A.method: POST
  B.url_input: http://${service.host}/second
  B.method: POST
`;
  const { flow } = await call('POST', '/api/v1/flows/import', { source: spec });
  const { id } = await call('POST', `/api/v1/flows/${flow.id}/runs`, {});
  const started = new Set();
  const before = await readEvents(id, undefined, ({ kind, node }) => {
    if (kind === 'node_started' && node.startsWith('APIRequest')) started.add(node);
    return started.size === 2;
  });
  while (!service.paths.includes('/second')) await sleep(20);
  await end('SIGKILL');
  service.holds = false;
  await start();
  const after = await readEvents(id, before.at(-1).id, ({ kind }) => kind === 'run_finished');
  assert.deepEqual(
    [...before, ...after].map((event) => event.id),
    Array.from({ length: before.length + after.length }, (_, index) => `${id}.${index + 1}`),
  );
  assert.equal(after.at(-1).status, 'completed');
  assert.deepEqual(service.paths, ['/first', '/second', '/second']);
  assert.equal(service.keys[1], service.keys[2]);
  const { run } = await call('GET', `/api/v1/runs/${id}`);
  assert.equal(run.status, 'completed');
  console.log('a queued run: its reader left, the server was killed, the run continued, and the reader resumed by id');
}

/** Reads events after an id until one fulfils the condition, and then leaves. */
async function readEvents(id, lastEventId, isLast) {
  const leave = new AbortController();
  const response = await fetch(`${origin}/api/v1/runs/${id}/events`, {
    headers: { authorization: `Bearer ${token}`, ...(lastEventId && { 'last-event-id': lastEventId }) },
    signal: leave.signal,
  });
  assert.equal(response.status, 200);
  const events = [];
  let text = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    const frames = text.split('\n\n');
    text = frames.pop();
    for (const frame of frames) {
      const field = (name) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(frame)?.[1];
      const data = field('data');
      if (data === undefined || field('event') === 'run') continue;
      const event = { ...JSON.parse(data), id: field('id') };
      events.push(event);
      if (!isLast(event)) continue;
      leave.abort();
      return events;
    }
  }
  throw new Error(`the stream ended after ${JSON.stringify(events.at(-1))}`);
}

async function call(method, path, body) {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  assert.ok(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

async function start() {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--no-open'], {
    cwd: stage.home,
    env: { ...stage.env, CROFT_FLOW_HOSTS: service.host },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = child;
  let text = '';
  const printed = new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const page = /(http:\S+)open\?code=/.exec(text);
      if (page) resolve(new URL(page[1]).origin);
    });
    child.once('exit', (code) => reject(new Error(`croft serve ended with ${code} after: ${text}`)));
  });
  origin = await printed;
  for (;;) {
    const ready = await fetch(`${origin}/readyz`);
    await ready.arrayBuffer();
    if (ready.status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  token = readFileSync(join(stage.home, '.croft/mcp-token'), 'utf8').trim();
}

async function end(signal) {
  const child = server;
  server = undefined;
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

/** Notes its requests, and holds the response to `/second`. */
async function startService() {
  const state = { paths: [], keys: [], holds: true };
  const http = createServer((request, response) => {
    state.paths.push(request.url);
    state.keys.push(request.headers['idempotency-key']);
    if (request.url !== '/second' || !state.holds) response.end('{"ok":true}');
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return Object.assign(state, {
    host: `127.0.0.1:${http.address().port}`,
    close() {
      http.closeAllConnections();
      http.close();
    },
  });
}
