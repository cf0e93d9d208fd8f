/** One scripted tool call. `input` is the text for tools that do not take JSON. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly input?: string;
}

/** The reply of a model in one protocol: one call, or the text that ends the turn. */
export interface WireReply {
  /** Events of a stream; `data` is JSON. `event` is the name if the protocol names its events. */
  readonly events: readonly { readonly event?: string; readonly data: unknown }[];
  /** The reply as one JSON document. */
  readonly whole: unknown;
  readonly endsWithDone?: boolean;
}

/** Marks the call in the agent's later requests. */
export const CALL_ID = 'call_croft_check';
const TEXT = 'Done.';
const ID = 'croft_check';

/** The protocol of a request path, or `undefined` for any other path. */
export function wireOf(path: string): ((model: string, call: ScriptedCall | undefined) => WireReply) | undefined {
  return WIRES.find(([pattern]) => pattern.test(path))?.[1];
}

const WIRES: readonly (readonly [RegExp, (model: string, call: ScriptedCall | undefined) => WireReply])[] = [
  [/\/messages$/, anthropic],
  [/\/responses$/, responses],
  [/\/chat\/completions$/, chat],
  [/:(?:stream)?[gG]enerateContent$/, gemini],
];

/** Source: Anthropic Messages, streaming. */
function anthropic(model: string, call: ScriptedCall | undefined): WireReply {
  const block = call
    ? { type: 'tool_use', id: CALL_ID, name: call.name, input: call.arguments }
    : { type: 'text', text: TEXT };
  const delta = call
    ? { type: 'input_json_delta', partial_json: JSON.stringify(call.arguments) }
    : { type: 'text_delta', text: TEXT };
  const stop = { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: ID, type: 'message', role: 'assistant', model, usage };
  const begun = call ? { ...block, input: {} } : { ...block, text: '' };
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: begun },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage },
    { type: 'message_stop' },
  ];
  return {
    events: events.map((data) => ({ event: data.type, data })),
    whole: { ...message, content: [block], ...stop },
  };
}

/** Source: OpenAI Responses, streaming. */
function responses(model: string, call: ScriptedCall | undefined): WireReply {
  const item = call
    ? {
        id: ID,
        call_id: CALL_ID,
        name: call.name,
        status: 'completed',
        ...(call.input === undefined
          ? { type: 'function_call', arguments: JSON.stringify(call.arguments) }
          : { type: 'custom_tool_call', input: call.input }),
      }
    : {
        id: ID,
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: TEXT, annotations: [] }],
      };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const response = { id: ID, object: 'response', created_at: 0, model, status: 'completed', output: [item], usage };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  return {
    events: events.map((data, at) => ({ event: data.type, data: { ...data, sequence_number: at } })),
    whole: response,
  };
}

/** Source: OpenAI Chat Completions, streaming. */
function chat(model: string, call: ScriptedCall | undefined): WireReply {
  const tool = call && {
    id: CALL_ID,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  };
  const message = tool
    ? { role: 'assistant', content: null, tool_calls: [tool] }
    : { role: 'assistant', content: TEXT };
  const delta = tool ? { ...message, tool_calls: [{ index: 0, ...tool }] } : message;
  const finish_reason = call ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const about = { id: ID, created: 0, model };
  const chunk = { ...about, object: 'chat.completion.chunk' };
  return {
    events: [
      { data: { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] } },
      { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage } },
    ],
    whole: { ...about, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage },
    endsWithDone: true,
  };
}

/** Source: Gemini generateContent and streamGenerateContent. */
function gemini(model: string, call: ScriptedCall | undefined): WireReply {
  const part = call ? { functionCall: { id: CALL_ID, name: call.name, args: call.arguments } } : { text: TEXT };
  const whole = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: model,
    responseId: ID,
  };
  return { events: [{ data: whole }], whole };
}
