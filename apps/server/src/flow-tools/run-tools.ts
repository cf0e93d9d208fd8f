import { ADDS, READS, REPLACES } from '@croft/tools';
import { z } from 'zod';
import { findingsOf } from '../flows/read-flow.ts';
import { requireNode } from './component-tools.ts';
import { type FlowDesk, openFlow } from './flow-desk.ts';
import { flowTool, refuse } from './flow-tool.ts';
import { anyObject, componentId, flowId } from './shown.ts';
import { outcomeOf, runOutput, startRun } from './started-run.ts';

/** A flow may overwrite and delete files. */
const runs = { ...REPLACES, openWorldHint: true };
const jobId = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('The id that run_flow or build_flow gave. Default: the newest run.');
const build = z.object({ component_id: z.string(), status: z.string(), outputs: z.unknown() });

/** Tools that run and check flows. */
export const RUN_TOOLS = [
  flowTool({
    name: 'run_flow',
    title: 'Run flow',
    description:
      'Runs a flow and waits for its result. A run that takes longer goes on: status is running, and get_build_results gives its result by job_id. A flow that reaches the network or a database asks the user first.',
    input: {
      flow_id: flowId,
      input_value: z.string().max(1_000_000).default('').describe("For the flow's input; the stored value if empty."),
      input_type: z.enum(['chat', 'text', 'any']).default('chat'),
      output_type: z.enum(['chat', 'text', 'any', 'debug']).default('chat').describe('any, debug: with all outputs.'),
      tweaks: z
        .record(z.string(), z.record(z.string(), z.unknown()))
        .optional()
        .describe('Other values for this run, by component and field. Code, commands and secrets cannot be set.'),
    },
    output: runOutput,
    annotations: runs,
    undoable: false,
    async run({ flow_id, input_value, input_type, output_type, tweaks }, call) {
      const run = await startRun(call, flow_id, { input_value, input_type, tweaks });
      return outcomeOf(call, run, output_type === 'any' || output_type === 'debug');
    },
  }),
  flowTool({
    name: 'build_flow',
    title: 'Start a run',
    description:
      'Starts a run of a flow with its stored values and returns at once. get_build_results gives its results.',
    input: { flow_id: flowId },
    output: { flow_id: z.string(), job_id: z.string() },
    annotations: runs,
    undoable: false,
    run: async ({ flow_id }, call) => ({ flow_id, job_id: (await startRun(call, flow_id)).id }),
  }),
  flowTool({
    name: 'get_build_results',
    title: 'Results of a run',
    description: 'Gives the state of a run and what each component produced, bounded and without secrets.',
    input: { flow_id: flowId, job_id: jobId },
    output: {
      flow_id: z.string(),
      job_id: z.string(),
      status: z.string(),
      text: z.string().nullable(),
      builds: z.array(build),
    },
    annotations: READS,
    async run({ flow_id, job_id }, { desk }) {
      const { id, status, text, timeline, failure } = await runOf(desk, flow_id, job_id);
      const builds = timeline.entries.map(({ node, outputs, status: state, ms, failure: own }) => ({
        component_id: node,
        status: state,
        outputs: outputs ?? null,
        ...(ms !== undefined && { ms }),
        ...(own !== undefined && { failure: own }),
      }));
      return { flow_id, job_id: id, status, text, builds, ...(failure !== null && { failure }) };
    },
  }),
  flowTool({
    name: 'get_component_output',
    title: 'Output of a component',
    description: 'Gives what a component produced in a run, bounded and without secrets.',
    input: { flow_id: flowId, component_id: componentId, job_id: jobId },
    output: { component_id: z.string(), job_id: z.string(), status: z.string(), outputs: z.unknown() },
    annotations: READS,
    async run({ flow_id, component_id, job_id }, { desk }) {
      requireNode(await openFlow(desk, flow_id), component_id);
      const { id, timeline } = await runOf(desk, flow_id, job_id);
      const entry = timeline.entries.findLast(({ node }) => node === component_id);
      if (entry === undefined) throw refuse(`${component_id} has not run in ${id}.`);
      const { status, outputs, failure } = entry;
      return { component_id, job_id: id, status, outputs: outputs ?? null, ...(failure && { failure }) };
    },
  }),
  flowTool({
    name: 'cancel_run',
    title: 'Cancel run',
    description: 'Ends a run that run_flow or build_flow started.',
    input: { job_id: z.string().min(1).max(100) },
    output: { cancelled: z.string() },
    annotations: { ...ADDS, idempotentHint: true },
    undoable: false,
    run({ job_id }, { desk }) {
      const run = desk.options.liveRuns.find(desk.caller.userId, job_id);
      if (run === undefined) throw refuse('You have no such run, or it ended more than five minutes ago.');
      run.cancel();
      return { cancelled: job_id };
    },
  }),
  flowTool({
    name: 'validate_flow',
    title: 'Check flow',
    description: 'Checks a flow without running it. Each error names the component, the field and a fix.',
    input: { flow_id: flowId },
    output: {
      valid: z.boolean(),
      component_count: z.number(),
      errors: z.array(anyObject),
      warnings: z.array(anyObject),
    },
    annotations: READS,
    async run({ flow_id }, { desk }) {
      const { document } = await openFlow(desk, flow_id);
      const findings = await findingsOf(desk.options.flowComponents, desk.caller.userId, document);
      const of = (severity: string) =>
        findings
          .filter((each) => each.severity === severity)
          .map(({ code, message, fix, node, field }) => ({
            code,
            message,
            fix,
            component_id: node,
            field_name: field,
          }));
      const isEmpty = document.nodes.length === 0;
      const errors = isEmpty ? [EMPTY] : of('error');
      return { valid: errors.length === 0, component_count: document.nodes.length, errors, warnings: of('warning') };
    },
  }),
];

const EMPTY = {
  code: 'empty_flow',
  message: 'The flow has no components, so there is nothing to check.',
  fix: 'Add components with add_component, or build another flow with create_flow_from_spec.',
};

async function runOf(desk: FlowDesk, flowId: string, jobId: string | undefined) {
  const { options, caller } = desk;
  await openFlow(desk, flowId);
  const [newest] = jobId === undefined ? (await options.allRuns.list(caller.userId, { flowId, limit: 1 })).runs : [];
  const id = jobId ?? newest?.id;
  const found = id === undefined ? undefined : await options.allRuns.find(caller.userId, id);
  if (found === undefined || found.flowId !== flowId)
    throw refuse(
      jobId === undefined ? 'The flow has not run yet. Use run_flow or build_flow.' : 'You have no such run.',
    );
  return found;
}
