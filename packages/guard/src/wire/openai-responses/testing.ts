/** Arguments that the test judge blocks. */
export const HOSTILE = '{"path":"/etc/cron.d/x","content":"SECRET"}';

/** An item of an output; `deltas`: the events between its start and its end. */
export interface TestItem {
  readonly item: Readonly<Record<string, unknown>>;
  /** Members that differ while the item is in progress. */
  readonly begun?: Readonly<Record<string, unknown>>;
  readonly deltas?: readonly Readonly<Record<string, unknown>>[];
}

const COMMON = { created_at: 1_700_000_000, model: 'gpt-x', parallel_tool_calls: true, tools: [], metadata: {} };

/** A response object of the public schema. */
export function responseOf(id: string, output: readonly object[], more: object = {}): Record<string, unknown> {
  return {
    id,
    object: 'response',
    ...COMMON,
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: null,
    previous_response_id: null,
    store: false,
    output,
    usage: {
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 7,
    },
    ...more,
  };
}

/** The events of a whole streamed response. */
export function eventsOf(id: string, items: readonly TestItem[], more: object = {}): Record<string, unknown>[] {
  const begun = { ...responseOf(id, [], more), status: 'in_progress', usage: null };
  const events: Record<string, unknown>[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
  ];
  items.forEach(({ item, begun: start, deltas = [] }, output_index) => {
    const added = { ...item, status: 'in_progress', ...start };
    events.push({ type: 'response.output_item.added', output_index, item: added });
    for (const delta of deltas) events.push({ ...delta, item_id: item.id, output_index });
    events.push({ type: 'response.output_item.done', output_index, item });
  });
  const response = responseOf(
    id,
    items.map(({ item }) => item),
    more,
  );
  const type = response.status === 'incomplete' ? 'response.incomplete' : 'response.completed';
  events.push({ type, response });
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

/** Events in OpenAI's form. */
export function sseOf(events: readonly (Record<string, unknown> | string)[], eol = '\n'): Buffer {
  return Buffer.from(
    events
      .map((event) =>
        typeof event === 'string'
          ? `data: ${event}${eol}${eol}`
          : `event: ${String(event.type)}${eol}data: ${JSON.stringify(event)}${eol}${eol}`,
      )
      .join(''),
  );
}

/** A message. */
export function text(id: string, words: string): TestItem {
  const part = { type: 'output_text', annotations: [], logprobs: [], text: words };
  const half = Math.ceil(words.length / 2);
  const delta = (piece: string) => ({
    type: 'response.output_text.delta',
    content_index: 0,
    delta: piece,
    logprobs: [],
  });
  return {
    item: { id, type: 'message', status: 'completed', role: 'assistant', content: [part] },
    begun: { content: [] },
    deltas: [
      { type: 'response.content_part.added', content_index: 0, part: { ...part, text: '' } },
      delta(words.slice(0, half)),
      delta(words.slice(half)),
      { type: 'response.output_text.done', content_index: 0, text: words, logprobs: [] },
      { type: 'response.content_part.done', content_index: 0, part },
    ],
  };
}

/** Encrypted reasoning. */
export function reasoning(id: string): TestItem {
  return { item: { id, type: 'reasoning', summary: [], encrypted_content: 'gAAAAB_call_x=' } };
}

/** A call of a function. */
export function call(id: string, args: string, name = 'write_file'): TestItem {
  const half = Math.ceil(args.length / 2);
  const type = 'response.function_call_arguments.delta';
  return {
    item: { id: `fc_${id}`, type: 'function_call', status: 'completed', arguments: args, call_id: `call_${id}`, name },
    begun: { arguments: '' },
    deltas: [
      { type, delta: args.slice(0, half), obfuscation: 'x1' },
      { type, delta: args.slice(half), obfuscation: 'y' },
      { type: 'response.function_call_arguments.done', arguments: args, name },
    ],
  };
}

/** A call whose input is plain text. */
export function customCall(id: string, input: string, name = 'apply_patch'): TestItem {
  return {
    item: { id: `ctc_${id}`, type: 'custom_tool_call', status: 'completed', call_id: `call_${id}`, input, name },
    begun: { input: '' },
    deltas: [
      { type: 'response.custom_tool_call_input.delta', delta: input.slice(0, 4) },
      { type: 'response.custom_tool_call_input.delta', delta: input.slice(4) },
      { type: 'response.custom_tool_call_input.done', input },
    ],
  };
}

/** Codex's own shell. */
export function localShell(id: string, command: readonly string[]): TestItem {
  const action = { type: 'exec', command, env: {}, timeout_ms: null, user: null, working_directory: null };
  return { item: { id: `lsh_${id}`, type: 'local_shell_call', status: 'completed', call_id: `call_${id}`, action } };
}

/** The shell tool of newer models. */
export function shell(id: string, commands: readonly string[]): TestItem {
  const action = { commands, max_output_length: 4096, timeout_ms: null };
  return { item: { id: `sh_${id}`, type: 'shell_call', status: 'completed', call_id: `call_${id}`, action } };
}

/** The patch tool of newer models. */
export function applyPatch(id: string, path: string, diff = '@@\n-a\n+b\n'): TestItem {
  const operation = { type: 'update_file', path, diff };
  return {
    item: { id: `apc_${id}`, type: 'apply_patch_call', status: 'completed', call_id: `call_${id}`, operation },
    begun: { operation: { ...operation, diff: '' } },
    deltas: [
      { type: 'response.apply_patch_call_operation_diff.delta', delta: diff.slice(0, 3) },
      { type: 'response.apply_patch_call_operation_diff.delta', delta: diff.slice(3) },
      { type: 'response.apply_patch_call_operation_diff.done', diff },
    ],
  };
}

/** Items that ran upstream, or that write no file. */
export const PASSING: readonly TestItem[] = [
  {
    item: {
      id: 'mcp_1',
      type: 'mcp_call',
      name: 'write',
      server_label: 's',
      arguments: '{"path":"/etc/x"}',
      output: 'ok',
    },
  },
  {
    item: {
      id: 'ci_1',
      type: 'code_interpreter_call',
      code: 'open("/etc/x")',
      container_id: 'c',
      outputs: null,
      status: 'completed',
    },
  },
  {
    item: {
      id: 'ws_1',
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', query: '/etc/passwd' },
    },
  },
  { item: { id: 'ig_1', type: 'image_generation_call', status: 'completed', result: 'AAAA' } },
  {
    item: {
      id: 'cu_1',
      type: 'computer_call',
      call_id: 'call_cu',
      status: 'completed',
      action: { type: 'type', text: '/etc/' },
      pending_safety_checks: [],
    },
  },
  {
    item: {
      id: 'ma_1',
      type: 'mcp_approval_request',
      name: 'write',
      server_label: 's',
      arguments: '{"path":"/etc/x"}',
    },
  },
];

/** One hostile call of every type; the test judge blocks it. */
export const BLOCKED: Record<string, TestItem> = {
  function_call: call('0', HOSTILE),
  custom_tool_call: customCall('0', '*** Begin Patch\n*** Add File: /etc/cron.d/x\n+SECRET'),
  local_shell_call: localShell('0', ['sh', '-c', 'echo SECRET > /etc/cron.d/x']),
  shell_call: shell('0', ['echo SECRET > /etc/cron.d/x']),
  apply_patch_call: applyPatch('0', '/etc/cron.d/x', '+SECRET'),
  'one of a kind to come': {
    item: { id: 'x_0', type: 'disk_call', call_id: 'call_0', path: '/etc/cron.d/x', text: 'SECRET' },
  },
};
