// Replies with one or several tool calls, in each protocol, streamed or not, according to its public schema.

/** The raw text of the arguments, as a wire would carry it. */
const textOf = (given) => (typeof given === 'string' ? given : JSON.stringify(given));
/** If the arguments are a part of a frame, line ends around them belong to the frame. */
const bare = (text) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
const isJson = (text) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const json = JSON.stringify;
const sse = (events) => events.map((event) => `data: ${event}\n\n`).join('');
const named = (events) => events.map(([name, event]) => `event: ${name}\ndata: ${event}\n\n`).join('');
/** Splits a text where a model's tokens might end. */
function pieces(text) {
  const size = Math.max(7, Math.ceil(text.length / 8));
  const cut = [];
  for (let at = 0; at < text.length; at += size) cut.push(text.slice(at, at + size));
  return cut;
}

/**
 * @typedef {object} WireReplies
 * @property {string} name
 * @property {string} path
 * @property {(...calls: object[]) => string | undefined} stream the reply's bytes; `undefined` if the wire cannot carry
 * a call
 * @property {(...calls: object[]) => string | undefined} body
 * @property {{stream: string, body: string}} plain a reply without a call
 * @property {RegExp} trace matches every reply that contains a call
 */

const chunk = (delta, finish = null) =>
  json({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
const completion = (message, finish) =>
  json({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  });

function chatCallChunks({ name, arguments: given, isText }, index) {
  const [head, part] = isText
    ? [{ type: 'custom', custom: { name, input: '' } }, (text) => ({ custom: { input: text } })]
    : [{ type: 'function', function: { name, arguments: '' } }, (text) => ({ function: { arguments: text } })];
  return [
    chunk({ tool_calls: [{ index, id: `call_${index + 1}`, ...head }] }),
    ...pieces(textOf(given)).map((text) => chunk({ tool_calls: [{ index, ...part(text) }] })),
  ];
}

/** @type {WireReplies} */
const openaiChat = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  trace: /tool_calls|function_call/,
  stream: (...calls) =>
    sse([
      chunk({ role: 'assistant', content: 'Now. ' }),
      ...calls.flatMap(chatCallChunks),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ]),
  body: (...calls) =>
    completion(
      {
        content: null,
        tool_calls: calls.map(({ name, arguments: given, isText }, at) => ({
          id: `call_${at + 1}`,
          ...(isText
            ? { type: 'custom', custom: { name, input: textOf(given) } }
            : { type: 'function', function: { name, arguments: textOf(given) } }),
        })),
      },
      'tool_calls',
    ),
  plain: {
    stream: sse([chunk({ role: 'assistant', content: 'Understood.' }), chunk({}, 'stop'), '[DONE]']),
    body: completion({ content: 'Understood.' }, 'stop'),
  },
};

const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
const usage = { input_tokens: 1, output_tokens: 1 };
const anthropicStream = (blocks, stop) =>
  named([
    ['message_start', json({ type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null, usage } })],
    ...blocks.flatMap(([start, deltas], index) => [
      ['content_block_start', json({ type: 'content_block_start', index, content_block: start })],
      ...deltas.map((delta) => ['content_block_delta', json({ type: 'content_block_delta', index, delta })]),
      ['content_block_stop', json({ type: 'content_block_stop', index })],
    ]),
    ['message_delta', json({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage })],
    ['message_stop', json({ type: 'message_stop' })],
  ]);
const textBlock = (text) => [{ type: 'text', text: '' }, [{ type: 'text_delta', text }]];

/** @type {WireReplies} */
const anthropic = {
  name: 'anthropic',
  path: '/v1/messages',
  trace: /tool_use/,
  stream: (...calls) =>
    calls.some(({ isText }) => isText)
      ? undefined
      : anthropicStream(
          [
            textBlock('Now. '),
            ...calls.map(({ name, arguments: given }, at) => [
              { type: 'tool_use', id: `toolu_${at + 1}`, name, input: {} },
              pieces(textOf(given)).map((text) => ({ type: 'input_json_delta', partial_json: text })),
            ]),
          ],
          'tool_use',
        ),
  body: (...calls) =>
    calls.some(({ arguments: given, isText }) => isText || !isJson(textOf(given)))
      ? undefined
      : `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[${calls
          .map(
            ({ name, arguments: given }, at) =>
              `{"type":"tool_use","id":"toolu_${at + 1}","name":${json(name)},"input":${bare(textOf(given))}}`,
          )
          .join()}],"stop_reason":"tool_use","stop_sequence":null,"usage":${json(usage)}}`,
  plain: {
    stream: anthropicStream([textBlock('Understood.')], 'end_turn'),
    body: json({ ...MESSAGE, content: [{ type: 'text', text: 'Understood.' }], stop_reason: 'end_turn', usage }),
  },
};

const RESPONSE = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' };
/** `items`: each with the events between its start and its end. */
function responsesStream(items) {
  let sequence = 0;
  const event = (type, rest) => [type, json({ type, sequence_number: sequence++, ...rest })];
  const output = items.map(([item]) => ({ ...item, status: 'completed' }));
  return named([
    event('response.created', { response: { ...RESPONSE, status: 'in_progress', output: [] } }),
    ...items.flatMap(([item, deltaEvents], output_index) => [
      event('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', ...emptied(item) } }),
      ...deltaEvents.map(([type, rest]) => event(type, { output_index, item_id: item.id, ...rest })),
      event('response.output_item.done', { output_index, item: output[output_index] }),
    ]),
    event('response.completed', { response: { ...RESPONSE, status: 'completed', output } }),
  ]);
}
const emptied = (item) =>
  item.type === 'message' ? { content: [] } : item.type === 'custom_tool_call' ? { input: '' } : { arguments: '' };
const responsesItem = ({ name, arguments: given, isText }, at) =>
  isText
    ? { id: `ctc_${at + 1}`, type: 'custom_tool_call', call_id: `call_${at + 1}`, name, input: textOf(given) }
    : { id: `fc_${at + 1}`, type: 'function_call', call_id: `call_${at + 1}`, name, arguments: textOf(given) };
function responsesDeltas(call) {
  const text = textOf(call.arguments);
  const kind = call.isText ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  const last = call.isText ? { input: text } : { arguments: text };
  return [...pieces(text).map((delta) => [`${kind}.delta`, { delta }]), [`${kind}.done`, last]];
}
const responsesMessage = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Understood.', annotations: [] }],
};

/** @type {WireReplies} */
const openaiResponses = {
  name: 'openai-responses',
  path: '/v1/responses',
  trace: /(function|custom_tool|shell|apply_patch)_call/,
  stream: (...calls) => responsesStream(calls.map((call, at) => [responsesItem(call, at), responsesDeltas(call)])),
  body: (...calls) =>
    json({
      ...RESPONSE,
      status: 'completed',
      output: calls.map((call, at) => ({ ...responsesItem(call, at), status: 'completed' })),
    }),
  plain: {
    stream: responsesStream([
      [
        responsesMessage,
        [
          [
            'response.content_part.added',
            { content_index: 0, part: { type: 'output_text', text: '', annotations: [] } },
          ],
          ['response.output_text.delta', { content_index: 0, delta: 'Understood.' }],
          ['response.output_text.done', { content_index: 0, text: 'Understood.' }],
          ['response.content_part.done', { content_index: 0, part: responsesMessage.content[0] }],
        ],
      ],
    ]),
    body: json({ ...RESPONSE, status: 'completed', output: [{ ...responsesMessage, status: 'completed' }] }),
  },
};

const candidates = (parts, finish) =>
  `{"candidates":[{"content":{"role":"model","parts":[${parts.join(',')}]},${finish ? `"finishReason":"${finish}",` : ''}"index":0}],"responseId":"r1","modelVersion":"m"}`;
const geminiCall = ({ name, arguments: given, isText }) => {
  const text = bare(textOf(given));
  const isObject = !isText && isJson(text) && text.startsWith('{');
  return isObject ? `{"functionCall":{"name":${json(name)},"args":${text}}}` : undefined;
};
const understood = [json({ text: 'Understood.' })];

/** @type {WireReplies} */
const gemini = {
  name: 'gemini',
  path: '/v1beta/models/m:streamGenerateContent?alt=sse',
  trace: /functionCall/,
  stream: (...calls) => {
    const parts = calls.map(geminiCall);
    return parts.includes(undefined)
      ? undefined
      : sse([
          candidates([json({ text: 'Now. ' })]),
          ...parts.map((part, at) => candidates([part], at === parts.length - 1 && 'STOP')),
        ]);
  },
  body: (...calls) => {
    const parts = calls.map(geminiCall);
    return parts.includes(undefined) ? undefined : candidates(parts, 'STOP');
  },
  plain: { stream: sse([candidates(understood, 'STOP')]), body: candidates(understood, 'STOP') },
};

export const WIRES = [openaiChat, openaiResponses, anthropic, gemini];
