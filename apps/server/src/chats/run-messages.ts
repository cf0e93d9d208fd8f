import { type FlowDocument, type RunResult, textOf } from '@croft/flow';
import { answerOf } from '../flow-runs/run-output.ts';
import { redacted } from '../flow-runs/secret-texts.ts';
import type { Db } from '../store/database.ts';
import { addMessage, type NewMessage } from './add-message.ts';
import { CHAT_LIMITS } from './chat-limits.ts';
import { type HistoryOwner, isMissingFlow } from './stored-history.ts';

/** A run that stores its message and its answer. */
export interface ChatRun extends HistoryOwner {
  readonly flow: FlowDocument;
  readonly inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Stores the conversation of a run. */
export interface RunMessages {
  /** Stores the message of the user. */
  begin(): Promise<void>;
  /** Stores the answer of the flow. */
  end(result: RunResult): Promise<void>;
}

const NOTHING: RunMessages = { begin: async () => {}, end: async () => {} };

/**
 * Stores what a chat shows: the text of the chat input when the run begins, and that of the chat outputs when it ends. A run
 * without a session stores nothing.
 */
export function runMessages(storage: () => Promise<Db>, run: ChatRun): RunMessages {
  const { flow, userId, flowId, runId, secrets } = run;
  const input = flow.nodes.find(({ type }) => type === 'ChatInput');
  const output = flow.nodes.find(({ type }) => type === 'ChatOutput');
  const valueOf = (node: typeof input, field: string): string =>
    node === undefined ? '' : textOf(run.inputs[node.id]?.[field] ?? node.values[field] ?? '');
  const sessionId = (valueOf(input, 'session_id') || valueOf(output, 'session_id')).trim();
  if (sessionId === '' || sessionId.length > CHAT_LIMITS.sessionIdLength || sessionId.includes('\0')) return NOTHING;
  const add = async (message: Pick<NewMessage, 'id' | 'sender' | 'senderName' | 'text' | 'tokens'>) => {
    if (message.text === '') return;
    const shown = { text: redacted(message.text, secrets), senderName: redacted(message.senderName, secrets) };
    try {
      await addMessage(await storage(), { userId, flowId, sessionId }, { ...message, ...shown, runId, isOfRun: true });
    } catch (error) {
      // The flow was deleted during the run, and its sessions with it.
      if (!isMissingFlow(error)) throw error;
    }
  };
  return {
    begin: () =>
      add({
        id: `${runId}.user`,
        sender: valueOf(input, 'sender') || 'User',
        senderName: valueOf(input, 'sender_name') || 'User',
        text: valueOf(input, 'input_value'),
      }),
    async end(result) {
      if (!flow.nodes.some(({ id, type }) => type === 'ChatOutput' && result.outputs[id] !== undefined)) return;
      const { input_tokens, output_tokens } = result.metrics;
      await add({
        id: `${runId}.answer`,
        sender: 'Machine',
        senderName: valueOf(output, 'sender_name') || 'AI',
        text: answerOf(result, flow, secrets),
        tokens: { input: input_tokens, output: output_tokens },
      });
    },
  };
}
