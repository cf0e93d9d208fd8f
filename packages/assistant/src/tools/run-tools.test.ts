import { describe, expect, it } from 'vitest';
import { flowOf, registry, toolContext } from '../../../../tests/support/tool-context.ts';
import { instantRuns, memoryCanvas, shownTools } from '../testing.ts';
import type { FlowRunEnd, FlowRuns } from '../turn.ts';
import { describeEffects, failureText, outsideEffects, RUN_TOOLS, runOnce } from './run-tools.ts';

const ECHO = flowOf('name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n');
const WEB = flowOf(
  'nodes:\n  U: URLComponent\n  O: ChatOutput\nedges:\n  U.page_results -> O.input_value\nconfig:\n  U.urls: https://example.com\n',
);
const metrics = { duration_seconds: 2, input_tokens: 3, output_tokens: 4, total_tokens: 7 };
const ending = (end: Partial<FlowRunEnd>): FlowRuns => ({
  ...instantRuns(''),
  start: async () => ({
    id: 'r1',
    ended: Promise.resolve({ status: 'completed', text: '', metrics, ...end }),
    cancel: () => undefined,
  }),
});
type Options = NonNullable<Parameters<typeof toolContext>[1]>;
async function run(flow: typeof ECHO | undefined, options: Options = {}, message?: string) {
  const made = await toolContext(flow, options);
  return {
    ...made,
    result: (await made.call(RUN_TOOLS, 'run_flow', { ...(message !== undefined && { message }) })) as Record<
      string,
      any
    >,
  };
}

describe('a run', () => {
  it('gives its text and its cost', async () => {
    const { result, events } = await run(ECHO, { turn: { runs: ending({ text: 'hello' }) } });
    expect(result).toMatchObject({
      run_id: 'r1',
      status: 'completed',
      text: 'hello\n\n(Ran in 2s · used 7 tokens (3 in / 4 out))',
      summary: 'Ran it: hello',
    });
    expect(result).not.toHaveProperty('on_canvas');
    expect(events).toEqual([
      { event: 'run_started', run_id: 'r1' },
      { event: 'run_finished', run_id: 'r1', status: 'completed', text: 'hello', duration_seconds: 2, total_tokens: 7 },
    ]);
    const free = await run(ECHO, {
      turn: { runs: ending({ text: 'a\nb', metrics: { ...metrics, total_tokens: 0 } }) },
    });
    expect([free.result['text'], free.result['summary']]).toEqual(['a\nb\n\n(Ran in 2s)', 'Ran it:\n\na\nb']);
    expect((await run(ECHO, { turn: { runs: ending({ text: '' }) } })).result['summary']).toBe('Ran it: (no output)');
    expect((await run(ECHO, { turn: { runs: ending({ text: 'x'.repeat(5_000) }) } })).result['summary']).toHaveLength(
      4_008,
    );
  });

  it('that fails says where and why', async () => {
    const failure = { node: 'O-1', field: 'input_value', message: 'Too long', fix: 'Cut it.' };
    const { result } = await run(ECHO, { turn: { runs: ending({ status: 'failed', failure }) } });
    expect(result).toMatchObject({
      status: 'failed',
      error: 'The run failed. “Chat output” (O-1).input_value: Too long. Cut it.',
    });
  });

  it('that waits for a person is not a failure, and says where to answer', async () => {
    const { result, events } = await run(ECHO, { turn: { runs: ending({ status: 'waiting', text: 'Send it?' }) } });
    expect(result).not.toHaveProperty('error');
    expect(result).toMatchObject({
      status: 'waiting',
      summary: 'The run waits for you: Send it? Answer on the canvas or under Runs, and the run goes on.',
    });
    expect(events.at(-1)).toMatchObject({ event: 'run_finished', status: 'waiting', text: 'Send it?' });
  });

  it('takes its message, and a flow without one runs with its values', async () => {
    const runs = instantRuns('done');
    await run(ECHO, { turn: { runs } }, 'hi');
    await run(ECHO, { turn: { runs } });
    expect(runs.started).toEqual(['hi', undefined]);
  });

  it('puts a built flow on the canvas first', async () => {
    const { context, call, canvas } = await toolContext();
    await context.working.build(ECHO, false, undefined);
    expect((await call(RUN_TOOLS, 'run_flow'))['on_canvas']).toBe('add');
    expect(canvas.flow.nodes).toHaveLength(2);
  });

  it('is not started where there is nothing to run, or the flow has an error', async () => {
    expect((await run(undefined)).result).toMatchObject({
      error: expect.stringContaining('There is no flow'),
      summary: expect.stringContaining('Write first what it does'),
    });
    const broken = flowOf('nodes:\n  S: SortRows\n  O: ChatOutput\nedges:\n  S.output -> O.input_value\n');
    expect((await run(broken)).result['error']).toMatch(/^The flow cannot run: /);
  });

  it('waits for decisions about proposed edits', async () => {
    const { context, call } = await toolContext(ECHO);
    context.notes.proposedFields.set('a', '1');
    expect(await call(RUN_TOOLS, 'run_flow')).toMatchObject({
      deferred: true,
      summary: 'Not run yet: it follows when you have accepted the proposed change.',
    });
    context.notes.proposedFields.set('b', '2');
    expect((await call(RUN_TOOLS, 'run_flow'))['summary']).toContain('the 2 proposed changes');
    expect(context.notes.deferred).toBe(true);
  });

  it('is not one of a canvas whose proposal the message dismissed', async () => {
    expect((await run(ECHO, { turn: { dismissesProposals: true } })).result['error']).toMatch(
      /^Not run: the message before only made a proposal/,
    );
    expect((await run(ECHO, { turn: { dismissesProposals: true, continues: 'edits' } })).result).not.toHaveProperty(
      'error',
    );
  });

  it('names the way to accept a proposal that fits where the reply is read', async () => {
    const summary = async (canvas: object) => {
      const turn = { dismissesProposals: true, canvas: { ...memoryCanvas(ECHO), ...canvas } };
      return (await run(ECHO, { turn })).result['summary'];
    };
    expect(await summary({})).toBe(
      'Not run: you did not accept my last proposal. Press **Add to canvas** or **Apply it after all** on its card, then write: run it.',
    );
    expect(await summary({ builtFlowReplaces: true })).toBe(
      'Not run: you did not accept my last proposal. Ask for it again and accept it, then write: run it.',
    );
  });

  it('gives up where other clients keep changing the flow', async () => {
    let tries = 0;
    const runs = { ...instantRuns(''), start: async () => void tries++ as never };
    expect((await run(ECHO, { turn: { runs } })).result['error']).toBe(
      'Not run: other clients keep changing the flow. Try again in a moment.',
    );
    expect(tries).toBe(10);
  });
});

it.each(['during its start', 'while it runs'])('cancels a run that the user stops %s', async (when) => {
  const stop = new AbortController();
  let cancels = 0;
  const start: FlowRuns['start'] = async () => {
    let end: (given: FlowRunEnd) => void = () => {};
    const ended = new Promise<FlowRunEnd>((resolve) => {
      end = resolve;
    });
    if (when === 'during its start') stop.abort();
    else setImmediate(() => stop.abort());
    // A run that is not cancelled ends by itself.
    setImmediate(() => end({ status: 'completed', text: '', metrics }));
    const cancel = () => {
      cancels++;
      end({ status: 'cancelled', text: '', metrics });
    };
    return { id: 'r1', ended, cancel };
  };
  const { context } = await toolContext(ECHO, { turn: { runs: { ...instantRuns(''), start } } });
  const ran = await runOnce(undefined, 1, { ...context, signal: stop.signal });
  expect([ran?.end.status, cancels]).toEqual(['cancelled', 1]);
});

describe('a run that reaches outside', () => {
  it('asks the user', async () => {
    const yes = await run(WEB, { answer: 'Run' });
    expect([yes.asked, yes.result['status']]).toEqual([['This flow can read from the network. Run it?'], 'completed']);
    const no = await run(WEB, { answer: 'Do not run' });
    expect(no.result).toMatchObject({ declined: true, summary: 'Not run: you did not allow it.' });
    expect(no.events.filter(({ event }) => event === 'run_started')).toEqual([]);
  });

  it('or takes the place of a flow asks too', async () => {
    const { context, call, asked } = await toolContext(ECHO, { answer: 'Run' });
    await context.working.build({ ...ECHO, name: 'Other' }, false, undefined);
    expect((await call(RUN_TOOLS, 'run_flow'))['on_canvas']).toBe('replace');
    expect(asked).toEqual(['This flow takes the place of the one on the canvas. Run it?']);
  });

  it('has effects in words', () => {
    expect([outsideEffects(ECHO, registry), outsideEffects(WEB, registry)]).toEqual([[], ['network-read']]);
    expect(describeEffects(['network-read', 'database-write', 'other'])).toBe(
      'read from the network and change a database and other',
    );
  });
});

it('names the place of a failure as far as it is known', () => {
  const text = (failure?: object) =>
    failureText({ text: 'the text', ...(failure && { failure: failure as never }) }, ECHO, registry);
  expect([
    text(),
    text({ message: 'No.' }),
    text({ message: 'No', fix: 'Do.' }),
    text({ message: 'No!', fix: 'Do.', node: 'X-9' }),
    text({ message: 'No', field: 'f' }),
  ]).toEqual(['the text', 'No.', 'No. Do.', 'X-9: No! Do.', 'f: No']);
});

it('reads a run of the user', async () => {
  const { call } = await toolContext(ECHO, {
    turn: { runs: { ...instantRuns(''), read: async (id) => (id === 'r1' ? { nodes: [] } : undefined) } },
  });
  expect(await call(RUN_TOOLS, 'get_run', { run_id: 'r1' })).toEqual({ run: { nodes: [] } });
  expect((await call(RUN_TOOLS, 'get_run', { run_id: 'r2' }))['error']).toBe("There is no run 'r2' of yours.");
  expect(RUN_TOOLS.map((tool) => tool.label({}))).toEqual(['Running the flow', 'Reading the run']);
});

it('reads only as much of a run as fits into a request', async () => {
  const entries = Array.from({ length: 100 }, (_, at) => ({ node: `N-${at}`, text: 'x'.repeat(1_000) }));
  const { call } = await toolContext(ECHO, {
    turn: { runs: { ...instantRuns(''), read: async () => ({ timeline: { entries, isCut: false } }) } },
  });
  const result = await call(RUN_TOOLS, 'get_run', { run_id: 'r1' });
  expect(JSON.stringify(result).length).toBeLessThan(51_000);
});

it('shows its tools to models and people in these words', () => {
  expect(shownTools(RUN_TOOLS)).toEqual([
    'run_flow | Running the flow | needs string | Runs the flow once and waits for its result. A built flow is put on the canvas first. Without a message the flow runs with the values that it has. | {"type":"object","additionalProperties":false}',
    '- message?: {"type":"string"} A message for the flow\'s chat input, if the user gave one.',
    'get_run | Reading the run | Reads a run: its result, and what each component received and produced. | {"type":"object","additionalProperties":false}',
    '- run_id: {"type":"string"} The id that run_flow gave.',
  ]);
});
