import { type AnyTool, callTool } from '@croft/tools';
import { z } from 'zod';
import type { MachineAnswer, MachineQuestion } from './run-thread-messages.ts';

/** Above the deadline of a call to a machine, which the tools have themselves. */
const CALL_MS = 600_000;

/** In the server's own thread: answers a question of the thread of queued runs. */
export async function answerMachine(
  machineTools: (userId: string) => Promise<readonly AnyTool[]>,
  question: MachineQuestion,
  signal: AbortSignal,
): Promise<MachineAnswer> {
  const tools = await machineTools(question.userId);
  if (question.kind === 'call-tool') {
    const { name, input } = question;
    return { result: await callTool({ tools, timeoutMs: CALL_MS }, { name, input }, { signal }) };
  }
  return {
    tools: tools.map(({ name, title, description, tags, annotations, input }) => ({
      name,
      title,
      description,
      tags,
      annotations,
      input: z.toJSONSchema(input, { io: 'input' }) as Readonly<Record<string, unknown>>,
    })),
  };
}
