/** One reply of a scripted provider. Without `status`, `raw` or `stall`, it is a valid stream of the protocol asked for. */
export interface ScriptedReply {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
  /** An error response with `body`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sent with status 200 in place of a valid stream. */
  readonly raw?: string;
  /** `before`: sends nothing. `during`: sends a first part and nothing more. `cut`: closes the connection there. */
  readonly stall?: 'before' | 'during' | 'cut';
}

/** A reply that calls one tool. */
export const callReply = (name: string, args: object): ScriptedReply => ({ calls: [{ name, arguments: args }] });

/** Tokens that every valid reply reports. */
export const SCRIPTED_USAGE = { input: 10, output: 5 } as const;

/** The streaming protocols of the providers. */
export type Wire = 'anthropic' | 'responses' | 'chat' | 'gemini';

/** The protocol of a request path. */
export function wireOf(path: string): Wire {
  if (path.endsWith('/messages')) return 'anthropic';
  if (path.endsWith('/responses')) return 'responses';
  return /:streamGenerateContent/.test(path) ? 'gemini' : 'chat';
}

const { input: INPUT, output: OUTPUT } = SCRIPTED_USAGE;
const frame = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

/** The frames of a valid reply: text in two parts, then the calls, then the end with usage. */
export function framesOf(wire: Wire, reply: ScriptedReply): string[] {
  switch (wire) {
    case 'anthropic':
      return anthropic(reply);
    case 'responses':
      return responses(reply);
    case 'gemini':
      return gemini(reply);
    case 'chat':
      return chat(reply);
  }
}

const halves = (text = ''): string[] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== '');
};

/** Source: Anthropic Messages, streaming. */
function anthropic({ text, calls = [] }: ScriptedReply): string[] {
  const usage = { input_tokens: INPUT, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
  const events: { type: string; [key: string]: unknown }[] = [
    { type: 'message_start', message: { ...message, stop_sequence: null, usage } },
  ];
  let index = 0;
  if (text !== undefined) {
    events.push({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
    for (const part of halves(text))
      events.push({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: part } });
    events.push({ type: 'content_block_stop', index: index++ });
  }
  for (const call of calls) {
    const block = { type: 'tool_use', id: `toolu_${index}`, name: call.name, input: {} };
    events.push({ type: 'content_block_start', index, content_block: block });
    for (const part of halves(JSON.stringify(call.arguments)))
      events.push({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: part } });
    events.push({ type: 'content_block_stop', index: index++ });
  }
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  events.push(
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: OUTPUT } },
    { type: 'message_stop' },
  );
  return events.map((data) => frame(data, data.type));
}

/** Source: OpenAI Responses, streaming. */
function responses({ text, calls = [] }: ScriptedReply): string[] {
  const usage = { input_tokens: INPUT, output_tokens: OUTPUT, total_tokens: INPUT + OUTPUT };
  const response = { id: 'resp_1', object: 'response', created_at: 0, model: 'm', output: [] };
  const events: { type: string; [key: string]: unknown }[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
  ];
  if (text !== undefined) {
    const item = { id: 'item_1', type: 'message', role: 'assistant' };
    const content = [{ type: 'output_text', text, annotations: [] }];
    events.push({ type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } });
    for (const delta of halves(text))
      events.push({ type: 'response.output_text.delta', item_id: 'item_1', output_index: 0, content_index: 0, delta });
    events.push({ type: 'response.output_item.done', output_index: 0, item: { ...item, content } });
  }
  for (const [at, call] of calls.entries()) {
    const output_index = at + 1;
    const item = { id: `fc_${at}`, type: 'function_call', call_id: `call_${at}`, name: call.name };
    const given = JSON.stringify(call.arguments);
    events.push({ type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } });
    for (const delta of halves(given))
      events.push({ type: 'response.function_call_arguments.delta', item_id: item.id, output_index, delta });
    events.push({
      type: 'response.output_item.done',
      output_index,
      item: { ...item, arguments: given, status: 'completed' },
    });
  }
  events.push({ type: 'response.completed', response: { ...response, status: 'completed', usage } });
  return events.map((data, sequence_number) => frame({ ...data, sequence_number }));
}

/** Source: OpenAI Chat Completions, streaming. */
function chat({ text, calls = [] }: ScriptedReply): string[] {
  const chunk = (choices: readonly unknown[], more = {}) =>
    frame({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices, ...more });
  const delta = (body: object, finish_reason: string | null = null) =>
    chunk([{ index: 0, delta: body, finish_reason }]);
  const usage = { prompt_tokens: INPUT, completion_tokens: OUTPUT, total_tokens: INPUT + OUTPUT };
  return [
    delta({ role: 'assistant', content: '' }),
    ...halves(text).map((content) => delta({ content })),
    ...calls.flatMap((call, index) => {
      const [first = '', rest = ''] = halves(JSON.stringify(call.arguments));
      const head = { index, id: `call_${index}`, type: 'function', function: { name: call.name, arguments: first } };
      return [delta({ tool_calls: [head] }), delta({ tool_calls: [{ index, function: { arguments: rest } }] })];
    }),
    delta({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    chunk([], { usage }),
    'data: [DONE]\n\n',
  ];
}

/** Source: Gemini streamGenerateContent. */
function gemini({ text, calls = [] }: ScriptedReply): string[] {
  const parts = [
    ...halves(text).map((part) => ({ text: part })),
    ...calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } })),
  ];
  const usageMetadata = {
    promptTokenCount: INPUT,
    candidatesTokenCount: OUTPUT,
    totalTokenCount: INPUT + OUTPUT,
  };
  return [
    ...parts.map((part) => frame({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] })),
    frame({ candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason: 'STOP' }], usageMetadata }),
  ];
}
