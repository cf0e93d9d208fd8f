import { READS, REPLACES } from '@croft/tools';
import { z } from 'zod';
import { runHeadless, shownEnd } from '../assistant/run-headless.ts';
import { onAborted } from '../on-aborted.ts';
import { flowTool, refuse } from './flow-tool.ts';
import { linkTo } from './template-tools.ts';
import { endWithin } from './wait.ts';

const output = {
  job_id: z.string(),
  flow_id: z.string(),
  link: z.string(),
  session_id: z.string(),
  status: z.string(),
  result: z.string().optional(),
  flow_changed: z.boolean().optional(),
  status_line: z.string().optional(),
  outcome: z.enum(['done', 'partly_done', 'not_done']).optional(),
  left_out: z.array(z.string()).optional().describe('Parts of the instruction that were not carried out.'),
};

/** Tools that hand work to Croft's own assistant. */
export const ASSISTANT_TOOLS = [
  flowTool({
    name: 'run_assistant',
    title: 'Ask the assistant',
    description:
      "Asks Croft's assistant to build, change or run a flow by an instruction in plain words, and waits. Without flow_id it works on a new flow. Longer work goes on: status is running, and get_assistant_result gives its result by job_id.",
    input: {
      instruction: z.string().min(1).max(20_000),
      flow_id: z.string().min(1).max(100).optional(),
      provider: z.string().max(100).optional(),
      model_name: z.string().max(200).optional(),
      session_id: z.string().min(1).max(128).optional().describe('Continues a conversation.'),
    },
    output,
    // The assistant edits flows and runs them.
    annotations: { ...REPLACES, openWorldHint: true },
    undoable: false,
    async run(request, call) {
      const { options, caller } = call.desk;
      const { turn } = await runHeadless(options, caller, request);
      const leave = turn.attend();
      const forget = onAborted(call.signal, turn.cancel);
      // The turn needs a reader until its end, also after the call.
      void turn.ended.finally(leave);
      const end = await endWithin(turn.ended);
      forget();
      return { ...headOf(turn), link: linkTo(call.desk, turn.flowId), ...shownEnd(end) };
    },
  }),
  flowTool({
    name: 'get_assistant_result',
    title: 'Result of the assistant',
    description: 'Gives the state of work that run_assistant started, and its result.',
    input: { job_id: z.string().min(1).max(100) },
    output,
    annotations: READS,
    async run({ job_id }, { desk }) {
      const turn = desk.options.liveTurns.find(desk.caller.userId, job_id);
      if (turn === undefined) throw refuse('You have no such job, or it ended more than five minutes ago.');
      const end = turn.isOver() ? await turn.ended : undefined;
      return { ...headOf(turn), link: linkTo(desk, turn.flowId), ...shownEnd(end) };
    },
  }),
];

const headOf = ({ id, flowId, sessionId }: { id: string; flowId: string; sessionId: string }) => ({
  job_id: id,
  flow_id: flowId,
  session_id: sessionId,
});
