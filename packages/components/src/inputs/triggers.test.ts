import { buildFromSpec, runToEnd } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { builtinRegistry } from '../builtin.ts';
import { runNode, runSpec } from '../testing.ts';

/** The output of a trigger, from the events: a result has only outputs at the ends of a flow. */
async function value(type: string, output: string, config: Record<string, unknown> = {}): Promise<unknown> {
  const { events } = await runNode({ type, output, config });
  const end = events.find(({ kind }) => kind === 'node_finished') as { outputs: Record<string, unknown> } | undefined;
  return end?.outputs[output];
}

describe('Webhook', () => {
  it('gives the request that started the run, in place of its sample', async () => {
    const registry = builtinRegistry();
    const spec = `nodes:\n  W: Webhook\n  P: ParserComponent\n  O: ChatOutput\nedges:\n  W.output_data -> P.input_data\n  P.parsed_text -> O.input_value\nconfig:\n  W.data: {"name": "sample"}\n  P.pattern: "Hello {name}"`;
    const built = buildFromSpec(spec, registry, (type) => type);
    if ('error' in built) throw new Error(built.error);
    const run = async (inputs: Record<string, Record<string, unknown>>) =>
      (await runToEnd(built.flow, { registry, services: { now: () => new Date() }, inputs })).text;
    expect(await run({})).toBe('Hello sample');
    expect(await run({ Webhook: { data: { name: 'Ada' } } })).toBe('Hello Ada');
  });

  it.each([
    [{ a: 1 }, { a: 1 }],
    ['{"a":1}', { a: 1 }],
    ['plain {text}', { payload: 'plain {text}' }],
    [[1, 2], { payload: [1, 2] }],
    [7, { payload: 7 }],
    ['', {}],
  ])('gives the body %j as a record', async (data, expected) => {
    expect(await value('Webhook', 'output_data', { data })).toEqual(expected);
  });

  it('gives query and headers, and refuses others than records', async () => {
    expect(await value('Webhook', 'query', { query: { q: 'x' } })).toEqual({ q: 'x' });
    expect(await value('Webhook', 'headers', { headers: '{"x-event":"push"}' })).toEqual({ 'x-event': 'push' });
    const { failure } = await runNode({ type: 'Webhook', output: 'query', config: { query: 'q=x' } });
    expect(failure).toMatchObject({ message: expect.stringContaining('Query is not'), fix: expect.any(String) });
  });
});

describe('ScheduleTrigger', () => {
  it('gives the time of the schedule in its time zone, or the current one', async () => {
    const config = { scheduled_at: '2026-03-01T23:30:00Z', timezone: 'Europe/Vienna' };
    expect(await value('ScheduleTrigger', 'output_data', config)).toEqual({
      scheduled_at: '2026-03-01T23:30:00.000Z',
      timezone: 'Europe/Vienna',
      date: '2026-03-02',
      time: '00:30:00',
      weekday: 'Monday',
    });
    expect(await value('ScheduleTrigger', 'text', config)).toEqual({
      text: 'Monday, 2026-03-02 00:30:00 Europe/Vienna',
    });
    expect(await value('ScheduleTrigger', 'output_data')).toMatchObject({ scheduled_at: '2026-03-01T12:00:00.000Z' });
  });

  it.each([
    [{ scheduled_at: 'soon' }, 'is not a time'],
    [{ timezone: 'Mars/Olympus' }, 'is not a time zone'],
  ])('refuses %j', async (config, reason) => {
    const { failure } = await runNode({ type: 'ScheduleTrigger', output: 'text', config });
    expect(failure).toMatchObject({ message: expect.stringContaining(reason), fix: expect.any(String) });
  });
});

it.each(['Webhook', 'ScheduleTrigger'])('%s gives nothing in a cancelled run', async (type) => {
  const signal = AbortSignal.abort();
  const { status, events } = await runSpec(`nodes:\n  C: ${type}`, {}, { signal });
  expect([status, events.filter(({ kind }) => kind === 'node_finished')]).toEqual(['cancelled', []]);
});
