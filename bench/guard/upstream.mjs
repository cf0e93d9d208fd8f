// A fake model: streams a canned reply, or gives a canned body. In a process of its own.
import * as http from 'node:http';

const CHUNKS = 40;
const frame = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-9x8y7z6w5v', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gpt-bench', system_fingerprint: 'fp_44709d6fcb', choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })}\n\n`;
const ARGUMENTS = JSON.stringify({ path: 'src/a.ts', content: 'export const answer = 42;\n'.repeat(12) });
const size = Math.ceil(ARGUMENTS.length / CHUNKS);
const call = (entry) => frame({ tool_calls: [{ index: 0, ...entry }] });

const REPLIES = {
  sse: [
    frame({ role: 'assistant', content: '' }),
    ...Array.from({ length: CHUNKS }, (_, at) => frame({ content: ` word${at}` })),
    frame({}, 'stop'),
    'data: [DONE]\n\n',
  ],
  'sse-tool': [
    frame({ role: 'assistant', content: null }),
    call({ id: 'call_abc', type: 'function', function: { name: 'write_file', arguments: '' } }),
    ...Array.from({ length: CHUNKS }, (_, at) =>
      call({ function: { arguments: ARGUMENTS.slice(at * size, (at + 1) * size) } }),
    ),
    frame({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ],
  json: JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(120) }, finish_reason: 'stop' }],
  }),
  'json-tool': JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'write_file', arguments: ARGUMENTS } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  }),
};

const server = http.createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  req.resume();
  req.on('end', () => void reply(res, req.headers['x-mode'] ?? 'sse', Number(req.headers['x-delay'] ?? 0)));
});

async function reply(res, mode, delay) {
  const body = REPLIES[mode];
  if (typeof body === 'string') {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    return res.end(body);
  }
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const piece of body) {
    res.write(piece);
    await new Promise((done) => (delay > 0 ? setTimeout(done, delay) : setImmediate(done)));
  }
  res.end();
}

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
