import { builtinRegistry } from '@croft/components';
import { buildFromSpec, emptyFlow, type FlowDocument } from '@croft/flow';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestDesk } from '../../../../tests/store/open-test-desk.ts';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import type { Db } from '../store/database.ts';
import { RUN_TOOLS } from './run-tools.ts';
import { shownTools } from './testing.ts';

let db: Db;
let flowId: string;
let runs: Record<string, object>;
let asked: unknown[][];
let cancelled: string[];
const userId = 'rt-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);
const built = buildFromSpec(
  'name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n',
  builtinRegistry(),
  (_, id) => id,
) as { flow: FlowDocument };

beforeEach(async () => {
  flowId = (await createFlow(db, userId, built.flow)).flow.id;
  [runs, asked, cancelled] = [{}, [], []];
});
async function call(name: string, args: object): Promise<any> {
  const { desk } = openTestDesk(db, userId, {
    allRuns: {
      async list(of: string, query: object) {
        asked.push([of, query]);
        return { runs: Object.keys(runs).map((id) => ({ id })) };
      },
      find: async (of: string, id: string) => (of === userId ? runs[id] : undefined),
    },
    liveRuns: {
      find: (of: string, id: string) =>
        of === userId && id === 'live' ? { cancel: () => void cancelled.push(id) } : undefined,
    },
  } as never);
  const tool = RUN_TOOLS.find((each) => each.name === name);
  return tool?.run(
    tool.input.parse(args) as never,
    {
      desk,
      signal: undefined,
      confirm: undefined,
      onProgress: undefined,
    } as never,
  );
}

const entry = (node: string, more: object = {}) => ({
  node,
  status: 'completed',
  outputs: { o: node },
  ms: 3,
  ...more,
});
const run = (id: string, more: object = {}) => ({
  id,
  flowId,
  status: 'completed',
  text: 'hi',
  failure: null,
  timeline: { entries: [entry('I'), entry('O')] },
  ...more,
});

describe('the results of a run', () => {
  it('are those of the newest run, component by component', async () => {
    runs = { new: run('new'), old: run('old') };
    expect(await call('get_build_results', { flow_id: flowId })).toEqual({
      flow_id: flowId,
      job_id: 'new',
      status: 'completed',
      text: 'hi',
      builds: [
        { component_id: 'I', status: 'completed', outputs: { o: 'I' }, ms: 3 },
        { component_id: 'O', status: 'completed', outputs: { o: 'O' }, ms: 3 },
      ],
    });
    expect(asked).toEqual([[userId, { flowId, limit: 1 }]]);
    expect((await call('get_build_results', { flow_id: flowId, job_id: 'old' })).job_id).toBe('old');
    expect(asked).toHaveLength(1);
  });

  it('say what failed', async () => {
    const failure = { message: 'broken' };
    const failed = { node: 'I', status: 'failed', failure };
    runs = { r: run('r', { status: 'failed', text: null, failure, timeline: { entries: [failed] } }) };
    expect(await call('get_build_results', { flow_id: flowId })).toEqual({
      flow_id: flowId,
      job_id: 'r',
      status: 'failed',
      text: null,
      failure,
      builds: [{ component_id: 'I', status: 'failed', outputs: null, failure }],
    });
  });

  it('are refused without a run, for one of another flow, and for another flow', async () => {
    const results = (more: object = {}) => call('get_build_results', { flow_id: flowId, ...more });
    await expect(results()).rejects.toThrow('The flow has not run yet. Use run_flow or build_flow.');
    await expect(results({ job_id: 'none' })).rejects.toThrow('You have no such run.');
    runs = { r: run('r', { flowId: 'other' }) };
    await expect(results({ job_id: 'r' })).rejects.toThrow('You have no such run.');
    await expect(call('get_build_results', { flow_id: 'none' })).rejects.toThrow();
  });
});

describe('the output of a component', () => {
  const output = (component_id: string) => call('get_component_output', { flow_id: flowId, component_id });

  it('is that of its last time in the run', async () => {
    runs = {
      r: run('r', {
        timeline: { entries: [entry('I'), entry('I', { outputs: undefined, failure: { message: 'f' } })] },
      }),
    };
    expect(await output('I')).toEqual({
      component_id: 'I',
      job_id: 'r',
      status: 'completed',
      outputs: null,
      failure: { message: 'f' },
    });
    runs = { r: run('r') };
    expect(await output('O')).toEqual({ component_id: 'O', job_id: 'r', status: 'completed', outputs: { o: 'O' } });
  });

  it('is refused for a component that did not run, or that there is not', async () => {
    runs = { r: run('r', { timeline: { entries: [entry('I')] } }) };
    await expect(output('O')).rejects.toThrow('O has not run in r.');
    await expect(output('X')).rejects.toThrow('X');
  });
});

it('cancels a run of the user', async () => {
  expect(await call('cancel_run', { job_id: 'live' })).toEqual({ cancelled: 'live' });
  expect(cancelled).toEqual(['live']);
  await expect(call('cancel_run', { job_id: 'gone' })).rejects.toThrow(
    'You have no such run, or it ended more than five minutes ago.',
  );
});

describe('the check of a flow', () => {
  const check = (id = flowId) => call('validate_flow', { flow_id: id });

  it('finds nothing in a flow that can run', async () => {
    expect(await check()).toEqual({ valid: true, component_count: 2, errors: [], warnings: [] });
  });

  it('names the component, the field and a fix', async () => {
    const document = {
      ...built.flow,
      nodes: [...built.flow.nodes, { ...built.flow.nodes[0], id: 'X', type: 'ReadData' }],
    };
    const { flow } = await createFlow(db, userId, document as FlowDocument);
    const { valid, errors, warnings } = await check(flow.id);
    expect(valid).toBe(false);
    expect(errors[0]).toMatchObject({
      component_id: 'X',
      field_name: 'path',
      fix: expect.stringMatching(/.+/) as string,
    });
    expect(errors.every(({ code, message }: any) => code !== '' && message !== '')).toBe(true);
    expect(warnings).toBeInstanceOf(Array);
  });

  it('finds that a flow is empty', async () => {
    const { flow } = await createFlow(db, userId, emptyFlow());
    expect(await check(flow.id)).toMatchObject({
      valid: false,
      component_count: 0,
      errors: [{ code: 'empty_flow', message: 'The flow has no components, so there is nothing to check.' }],
    });
  });
});

it('shows its tools to models and people in these words', () => {
  expect(shownTools(RUN_TOOLS)).toEqual([
    'run_flow | Run flow | Runs a flow and waits for its result. A run that takes longer goes on: status is running, and get_build_results gives its result by job_id. A flow that reaches the network or a database asks the user first. | {"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true} | final',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- input_value: {"default":"","type":"string","maxLength":1000000} For the flow\'s input; the stored value if empty.',
    '- input_type: {"default":"chat","type":"string","enum":["chat","text","any"]}',
    '- output_type: {"default":"chat","type":"string","enum":["chat","text","any","debug"]} any, debug: with all outputs.',
    '- tweaks?: {"type":"object","propertyNames":{"type":"string"},"additionalProperties":{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{}}} Other values for this run, by component and field. Code, commands and secrets cannot be set.',
    '=> job_id: {"type":"string"}',
    '=> status: {"type":"string"}',
    '=> text?: {"type":"string"}',
    '=> outputs?: {"type":"object","properties":{},"additionalProperties":{}}',
    '=> metrics?: {"type":"object","properties":{},"additionalProperties":{}}',
    '=> failure?: {"type":"object","properties":{},"additionalProperties":{}}',
    'build_flow | Start a run | Starts a run of a flow with its stored values and returns at once. get_build_results gives its results. | {"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true} | final',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '=> flow_id: {"type":"string"}',
    '=> job_id: {"type":"string"}',
    'get_build_results | Results of a run | Gives the state of a run and what each component produced, bounded and without secrets. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- job_id?: {"type":"string","minLength":1,"maxLength":100} The id that run_flow or build_flow gave. Default: the newest run.',
    '=> flow_id: {"type":"string"}',
    '=> job_id: {"type":"string"}',
    '=> status: {"type":"string"}',
    '=> text: {"type":["string","null"]}',
    '=> builds: {"type":"array","items":{"type":"object","properties":{"component_id":{"type":"string"},"status":{"type":"string"},"outputs":{}},"required":["component_id","status","outputs"],"additionalProperties":false}}',
    'get_component_output | Output of a component | Gives what a component produced in a run, bounded and without secrets. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- component_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '- job_id?: {"type":"string","minLength":1,"maxLength":100} The id that run_flow or build_flow gave. Default: the newest run.',
    '=> component_id: {"type":"string"}',
    '=> job_id: {"type":"string"}',
    '=> status: {"type":"string"}',
    '=> outputs: {}',
    'cancel_run | Cancel run | Ends a run that run_flow or build_flow started. | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | final',
    '- job_id: {"type":"string","minLength":1,"maxLength":100}',
    '=> cancelled: {"type":"string"}',
    'validate_flow | Check flow | Checks a flow without running it. Each error names the component, the field and a fix. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '=> valid: {"type":"boolean"}',
    '=> component_count: {"type":"number"}',
    '=> errors: {"type":"array","items":{"type":"object","properties":{},"additionalProperties":{}}}',
    '=> warnings: {"type":"array","items":{"type":"object","properties":{},"additionalProperties":{}}}',
  ]);
});
