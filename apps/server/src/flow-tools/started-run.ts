import type { FlowDocument } from '@croft/flow';
import { z } from 'zod';
import type { LiveRun } from '../flow-runs/live-runs.ts';
import type { RunOutcome } from '../flow-runs/execute-live-run.ts';
import type { RunValues } from '../flow-runs/run-request.ts';
import { type ReadFlow, readFlowOf, startStoredFlow, type StartRequest } from '../flow-runs/start-stored-flow.ts';
import { onAborted } from '../on-aborted.ts';
import { approveEffects } from './approve-effects.ts';
import type { FlowToolCall, FlowToolData } from './flow-tool.ts';
import { anyObject } from './shown.ts';
import { endWithin } from './wait.ts';

const RUN_TIMEOUT_MS = 600_000;

/** The result of a tool that runs a flow. */
export const runOutput = {
  job_id: z.string(),
  status: z.string(),
  text: z.string().optional(),
  outputs: anyObject.optional(),
  metrics: anyObject.optional(),
  failure: anyObject.optional(),
};

/** Values of a run, as the tools take them. */
export interface RunInput {
  readonly input_value?: string;
  readonly input_type?: 'chat' | 'text' | 'any';
  readonly tweaks?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

/** Starts a run of a flow, after the person allowed what it reaches. */
export const startRun = (
  call: FlowToolCall,
  flowId: string,
  { input_value = '', input_type, tweaks }: RunInput = {},
): Promise<LiveRun> =>
  startFlow(call, {
    flowId,
    tweaks,
    values: (flow) => (input_value === '' ? {} : valuesOf(flow, input_value, input_type)),
  });

function valuesOf({ nodes }: FlowDocument, message: string, type: RunInput['input_type']): RunValues {
  const text = type === 'text' ? nodes.find((node) => node.type === 'TextInput') : undefined;
  return text ? { inputs: { [text.id]: { input_value: message } } } : { message };
}

/**
 * The same with values that are made from the flow. The run reads the flow once.
 *
 * @param readFlow Default: reads a version that the caller accepted, because the caller has an API key
 */
export async function startFlow(
  call: FlowToolCall,
  request: Pick<StartRequest, 'flowId' | 'values' | 'tweaks'>,
  readFlow?: ReadFlow,
): Promise<LiveRun> {
  const { options, caller, client } = call.desk;
  const { run } = await startStoredFlow({ ...options, readFlow: readFlow ?? readFlowOf(options, caller) }, caller, {
    ...request,
    startedBy: 'mcp',
    client,
    timeoutMs: RUN_TIMEOUT_MS,
    approve: (ready) => approveEffects(call, request.flowId, ready),
  });
  options.onRun?.(run);
  return run;
}

/** Reports each component that ends, as progress of the call. Returns what ends the reports. */
function followRun(run: LiveRun, onProgress: FlowToolCall['onProgress']): () => void {
  if (onProgress === undefined) return () => undefined;
  let count = 0;
  const leave = run.log.follow({
    take({ data }) {
      const { kind, node } = JSON.parse(data) as { kind?: unknown; node?: unknown };
      if (kind === 'node_finished' || kind === 'node_failed')
        onProgress(++count, `${String(node)} ${kind === 'node_failed' ? 'failed' : 'finished'}`);
      return true;
    },
    end: () => undefined,
  });
  return leave;
}

function shownOutcome({ status, text, outputs, metrics, failure }: RunOutcome, withOutputs: boolean) {
  return { status, text, metrics, ...(withOutputs && { outputs }), ...(failure && { failure }) };
}

/** Waits for the end of a run as long as a call may, and reports its progress. A call that ends first stops the run. */
export async function outcomeOf(call: FlowToolCall, run: LiveRun, withOutputs: boolean): Promise<FlowToolData> {
  const stop = followRun(run, call.onProgress);
  const forget = onAborted(call.signal, () => run.cancel());
  try {
    const outcome = await endWithin(run.outcome);
    if (outcome === undefined) return { job_id: run.id, status: 'running' };
    return { job_id: run.id, ...shownOutcome(outcome, withOutputs) };
  } finally {
    stop();
    forget();
  }
}
