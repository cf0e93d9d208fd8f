import { type AnyTool, type ToolResult } from '@croft/tools';
import { z } from 'zod';
import { onAborted } from '../on-aborted.ts';
import type { ListedTool, MachineAnswer, MachineQuestion, ToRunThread } from './run-thread-messages.ts';

type Unsent = MachineQuestion extends infer Each ? (Each extends MachineQuestion ? Omit<Each, 'id'> : never) : never;

/** In the thread of queued runs: the tools of machines, which are connected to the server's own thread. */
export interface MachineClient {
  readonly machineTools: (userId: string) => Promise<readonly AnyTool[]>;
  /** Takes an answer. */
  receive(message: Extract<ToRunThread, { id: number }>): void;
}

interface Waiting {
  resolve(answer: MachineAnswer): void;
  reject(error: Error): void;
}

/** @param send sends a question, or cancels one */
export function askMachines(
  send: (message: MachineQuestion | { readonly kind: 'cancel'; readonly id: number }) => void,
): MachineClient {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const ask = (question: Unsent, signal?: AbortSignal): Promise<MachineAnswer> => {
    const id = ++lastId;
    const answered = new Promise<MachineAnswer>((resolve, reject) => waiting.set(id, { resolve, reject }));
    send({ ...question, id });
    const forget = onAborted(signal, () => send({ kind: 'cancel', id }));
    return answered.finally(() => {
      waiting.delete(id);
      forget();
    });
  };
  return {
    async machineTools(userId) {
      const answer = await ask({ kind: 'list-tools', userId });
      return 'tools' in answer ? answer.tools.map((tool) => toTool(tool, userId, ask)) : [];
    },
    receive(message) {
      if (message.kind === 'answer') waiting.get(message.id)?.resolve(message.answer);
      else waiting.get(message.id)?.reject(new Error(message.message));
    },
  };
}

const toTool = (
  { input, ...listed }: ListedTool,
  userId: string,
  ask: (question: Unsent, signal?: AbortSignal) => Promise<MachineAnswer>,
): AnyTool => ({
  ...listed,
  // Listed, and checked where the machine is connected. A machine chooses the schema: zod does not know each one, and a
  // pattern in it could hold this thread.
  input: z.looseObject({}).meta(input),
  async run(given, { signal }) {
    const answer = await ask({ kind: 'call-tool', userId, name: listed.name, input: given }, signal);
    return (answer as { readonly result: ToolResult }).result;
  },
});
