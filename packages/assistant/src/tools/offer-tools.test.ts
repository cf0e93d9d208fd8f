import { FlowError } from '@croft/flow';
import { expect, it, vi } from 'vitest';
import { flowOf, toolContext } from '../../../../tests/support/tool-context.ts';
import { instantRuns } from '../testing.ts';
import type { FlowRuns } from '../turn.ts';
import { NoProgress, offerTools, toolsOf } from './offer-tools.ts';

const ECHO = flowOf('name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n');
type Options = NonNullable<Parameters<typeof toolContext>[1]>;

async function offer(options: Options = {}, isOffline = false) {
  const made = await toolContext(ECHO, options);
  const stop = vi.fn();
  const halt = new AbortController();
  const offered = offerTools(made.context, { isOffline, stop, halted: halt.signal });
  const use = (name: string, args: Record<string, unknown> = {}) =>
    offered.tools.find((tool) => tool.name === name)?.run(args, made.context.signal) as Promise<Record<string, any>>;
  return { ...made, offered, use, stop, halt };
}
const reading = (read: FlowRuns['read']): Options => ({ turn: { runs: { ...instantRuns(''), read } } });

it('offers the tools that a turn can use', async () => {
  const { context } = await toolContext();
  const names = (turn = context.turn, isOffline = false) => toolsOf(turn, isOffline).map(({ name }) => name);
  expect(names()).not.toContain('generate_component');
  expect(names()).not.toContain('draft_flow');
  expect(names(context.turn, true)).toContain('draft_flow');
  const writes = { ...context.turn, components: {} as never };
  expect([names(writes).includes('generate_component'), names(writes, true).includes('generate_component')]).toEqual([
    true,
    false,
  ]);
});

it('reports each call, and whether one acted', async () => {
  const { use, events, offered } = await offer();
  await use('search_components', { query: 'chat' });
  await use('search_components', { query: 'chat' });
  expect([offered.hasActed(), offered.results(), offered.callCount]).toEqual([
    false,
    { done: 0, endsInFailure: false },
    2,
  ]);
  expect(events).toEqual([
    { event: 'tool_start', tool: 'search_components', label: 'Searching components' },
    { event: 'tool_end', tool: 'search_components', ok: true },
    { event: 'tool_start', tool: 'search_components', label: 'Searching components' },
    { event: 'tool_end', tool: 'search_components', ok: true, cached: true },
  ]);
  await use('remove_component', { component_id: 'O-1' });
  expect([offered.hasActed(), offered.results()]).toEqual([true, { done: 1, endsInFailure: false }]);
});

it('gives the summary only to rules, and an error as the summary', async () => {
  expect(await (await offer()).use('search_components', { query: 'chat' })).not.toHaveProperty('summary');
  const rules = await offer({}, true);
  expect(await rules.use('search_components', { query: 'chat' })).toHaveProperty('summary');
  const failed = await rules.use('get_run', { run_id: 'x' });
  expect(failed['summary']).toBe(failed['error']);
  const broken = await offer(
    reading(() => Promise.reject(new Error('x'))),
    true,
  );
  expect(await broken.use('get_run', { run_id: 'x' })).toMatchObject({
    error: 'The call failed unexpectedly. Nothing may have been changed; look before trying again.',
    summary: 'This step failed unexpectedly. Look at the flow before you send the message again.',
  });
  const forPerson = Object.assign(new Error('Busy.'), { forModel: true, forPerson: 'Wait.' });
  const busy = await offer(
    reading(() => Promise.reject(forPerson)),
    true,
  );
  expect(await busy.use('get_run', { run_id: 'x' })).toMatchObject({ error: 'Busy.', summary: 'Wait.' });
});

it('shows only texts of failures that are written for it', async () => {
  const failing = async (error: unknown) =>
    (await offer(reading(() => Promise.reject(error)))).use('get_run', { run_id: 'x' });
  expect((await failing(new Error('connect db.internal')))['error']).toBe(
    'The call failed unexpectedly. Nothing may have been changed; look before trying again.',
  );
  expect((await failing(new FlowError('too_large', 'Too large.')))['error']).toBe('Too large.');
  expect((await failing(Object.assign(new Error('Busy.'), { forModel: true })))['error']).toBe('Busy.');
});

it('hides secrets, and cuts long texts', async () => {
  const { use } = await offer({
    turn: {
      secrets: new Set(['hunter2-key']),
      runs: { ...instantRuns(''), read: async () => ({ a: ['hunter2-key'], b: 'x'.repeat(16_001), c: null }) },
    },
  });
  const { run } = await use('get_run', { run_id: 'r' });
  expect(run).toEqual({ a: ['***REDACTED***'], b: `${'x'.repeat(16_000)}… (1 more characters)`, c: null });
  const long = Object.assign(new Error('hunter2-key'.padEnd(600, 'y')), { forModel: true });
  const failing = await offer({
    turn: { secrets: new Set(['hunter2-key']), runs: { ...instantRuns(''), read: () => Promise.reject(long) } },
  });
  await failing.use('get_run', { run_id: 'hunter2-key' });
  expect(failing.events.at(-1)).toEqual({
    event: 'tool_end',
    tool: 'get_run',
    ok: false,
    error: '***REDACTED***'.padEnd(500, 'y'),
  });
});

it('stops a model that makes the same call with the same result three times', async () => {
  const { use, stop } = await offer();
  for (let times = 0; times < 2; times++) await use('get_run', { run_id: 'x' });
  expect(stop).not.toHaveBeenCalled();
  await use('get_run', { run_id: 'x' });
  expect(stop).toHaveBeenCalledWith(expect.any(NoProgress));
  expect(stop.mock.calls[0]?.[0].message).toBe(
    'I stopped, because one step gave the same result 3 times: Reading the run.',
  );
});

it('makes no further call of a model that was stopped', async () => {
  const { use, halt, offered } = await offer();
  halt.abort(new Error('stopped'));
  await expect(use('validate_flow')).rejects.toThrow('stopped');
  expect(offered.callCount).toBe(0);
});

it('makes calls one after the other, also after one that failed', async () => {
  const order: string[] = [];
  const { use } = await offer(
    reading(async (id) => {
      order.push(`begin ${id}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
      order.push(`end ${id}`);
      if (id === 'a') throw new Error('a');
      return {};
    }),
  );
  await Promise.all([use('get_run', { run_id: 'a' }), use('get_run', { run_id: 'b' })]);
  expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b']);
});

it('tells the model about changes of other clients', async () => {
  const { use, canvas } = await offer();
  canvas.change([{ kind: 'remove_component', id: 'O-1' }]);
  expect((await use('validate_flow'))['canvas_changed']).toContain('O-1');
});

it('does not call what the message did not ask for, and nothing after the turn ended', async () => {
  const none = { change: false, remove: false, write: false, run: false, runWrites: false };
  const { use, canvas, offered } = await offer({ asked: none, answer: 'Do not allow' });
  expect(await use('remove_component', { component_id: 'O-1' })).toMatchObject({ declined: true });
  expect([canvas.version, offered.results()]).toEqual([1, { done: 0, endsInFailure: true }]);
  const over = await offer({ signal: AbortSignal.abort(new Error('stopped')) });
  await expect(over.use('validate_flow')).rejects.toThrow('stopped');
});
