import type { AssistantEvent, TurnUsage } from '@croft/assistant';

/** An event of the AG-UI protocol: JSON with its type. */
export interface AgUiEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The run of a thread, by the ids of its client. */
export interface AgUiRun {
  readonly threadId: string;
  readonly runId: string;
}

/**
 * Translates the events of a turn, one by one. An event that AG-UI does not have becomes CUSTOM under its own name. After the end
 * of a turn or a question, no message, call or step is open.
 */
export function createAgUiEvents({ runId }: Pick<AgUiRun, 'runId'>): (event: AssistantEvent) => AgUiEvent[] {
  let messageId: string | undefined;
  let step: string | undefined;
  let text = '';
  let count = 0;
  const calls: { readonly id: string; readonly tool: string }[] = [];
  const nextId = (kind: string) => `${runId}-${kind}-${++count}`;
  const endMessage = (): AgUiEvent[] => {
    if (messageId === undefined) return [];
    const ended = { type: 'TEXT_MESSAGE_END', messageId };
    messageId = undefined;
    return [ended];
  };
  const endStep = (): AgUiEvent[] => {
    if (step === undefined) return [];
    const ended = { type: 'STEP_FINISHED', stepName: step };
    step = undefined;
    return [ended];
  };
  const say = (delta: string): AgUiEvent[] => {
    if (delta === '') return [];
    text += delta;
    if (messageId !== undefined) return [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta }];
    messageId = nextId('message');
    return [
      { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
    ];
  };
  const endAll = (): AgUiEvent[] => [
    ...endMessage(),
    ...calls.splice(0).map(({ id }) => ({ type: 'TOOL_CALL_END', toolCallId: id })),
    ...endStep(),
  ];
  return (event) => {
    switch (event.event) {
      case 'token':
        return say(event.chunk);
      case 'progress': {
        // The attempt is repeated: its text is not the reply.
        if (event.step === 'retrying') text = '';
        const before = [...endMessage(), ...endStep()];
        step = event.step;
        return [...before, { type: 'STEP_STARTED', stepName: event.step }];
      }
      case 'tool_start': {
        const id = nextId('call');
        calls.push({ id, tool: event.tool });
        return [...endMessage(), { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: event.tool }];
      }
      case 'tool_end': {
        const at = calls.findIndex(({ tool }) => tool === event.tool);
        const [call] = at === -1 ? [] : calls.splice(at, 1);
        if (call === undefined) return [];
        const content = JSON.stringify({ ok: event.ok, ...(event.error !== undefined && { error: event.error }) });
        return [
          { type: 'TOOL_CALL_END', toolCallId: call.id },
          { type: 'TOOL_CALL_RESULT', messageId: nextId('result'), toolCallId: call.id, content, role: 'tool' },
        ];
      }
      case 'complete':
        return [...(text.trim() === '' ? say(event.data.result) : []), ...endAll(), customOf(event)];
      case 'error':
      case 'cancelled':
      case 'question':
        return [...endAll(), customOf(event)];
      default:
        return [customOf(event)];
    }
  };
}

const customOf = (event: AssistantEvent): AgUiEvent => ({ type: 'CUSTOM', name: event.event, value: event });

/** The cost of a turn, as AG-UI counts it. A server of the user may not name its model. */
export const usageOf = (
  { provider, model }: { readonly provider: string; readonly model: string },
  { input_tokens, output_tokens, total_tokens }: TurnUsage,
): readonly object[] => [
  {
    ...(provider !== '' && { provider }),
    ...(model !== '' && { model }),
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    totalTokens: total_tokens,
  },
];
