// Number of chunks of text, or fragments of arguments, in a streamed reply.
const CHUNKS = 40;
const frame = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-9x8y7z6w5v', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gpt-bench', system_fingerprint: 'fp_44709d6fcb', choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })}\n\n`;
const ARGUMENTS = JSON.stringify({ path: 'src/a.ts', content: 'export const answer = 42;\n'.repeat(12) });
const size = Math.ceil(ARGUMENTS.length / CHUNKS);
const call = (entry) => frame({ tool_calls: [{ index: 0, ...entry }] });

/** The fake model's replies: the pieces of a stream, each written separately, or a body. */
export const REPLIES = {
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
  // A reply that no guard may let through.
  'sse-hostile': [
    call({
      id: 'call_abc',
      type: 'function',
      function: { name: 'write_file', arguments: '{"path":"/etc/cron.d/x","content":""}' },
    }),
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

/** The exact bytes that a client must get through every proxy. */
export function bytesOf(mode) {
  const reply = REPLIES[mode];
  return Buffer.from(typeof reply === 'string' ? reply : reply.join(''));
}
