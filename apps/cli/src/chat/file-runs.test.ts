import { builtinRegistry } from '@croft/components';
import { buildFromSpec, emptyFlow, type FlowDocument } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { readsRows } from '../../../server/src/testing-flows.ts';
import { ForModel } from './file-canvas.ts';
import { createFileRuns } from './file-runs.ts';

const registry = builtinRegistry();
const flowOf = (spec: string): FlowDocument => {
  const built = buildFromSpec(spec, registry, (_, id) => id);
  if ('error' in built) throw new Error(built.details);
  return built.flow;
};
const ECHO = flowOf('name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n');
const FIXED = flowOf(
  'name: Fixed\nnodes:\n  T: TextInput\n  O: ChatOutput\nedges:\n  T.text -> O.input_value\nconfig:\n  T.input_value: hi\n',
);

function runsOf(flow: FlowDocument) {
  const names: string[] = [];
  const services = (name: string) => {
    names.push(name);
    return { now: () => new Date(0) } as never;
  };
  const opened = { services, secrets: new Set(['hidden']) };
  const runs = createFileRuns({
    canvas: { read: async () => ({ flow, version: 3 }) },
    registry: async () => registry,
    services: opened,
  });
  return { runs, names };
}

describe('a run of the flow of a file', () => {
  it('takes the message of the user and can be read afterwards', async () => {
    const { runs, names } = runsOf(ECHO);
    expect(await runs.latest()).toBeUndefined();
    const started = await runs.start('hello', 3);
    expect(await started?.ended).toMatchObject({ status: 'completed', text: 'hello', metrics: { total_tokens: 0 } });
    expect(await runs.latest()).toEqual({ status: 'completed', text: 'hello' });
    const events = (await runs.read(started?.id ?? '')) as { kind: string }[];
    expect(events.length).toBeGreaterThan(2);
    expect(events.filter(({ kind }) => kind === 'token')).toEqual([]);
    expect(names).toEqual(['Echo']);
    expect(await runs.read('other')).toBeUndefined();
  });

  it('does not start in a version that the user did not allow', async () => {
    expect(await runsOf(ECHO).runs.start('hello', 2)).toBeUndefined();
  });

  it('uses the values of the flow without a message, and a text input as the place of one', async () => {
    const { runs } = runsOf(FIXED);
    expect(await (await runs.start(undefined, 3))?.ended).toMatchObject({ text: 'hi' });
    expect(await (await runs.start('bye', 3))?.ended).toMatchObject({ text: 'bye' });
  });

  it('refuses a message that the flow cannot take', async () => {
    const { runs } = runsOf(emptyFlow());
    const refusal = await runs.start('hello', 3).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ForModel);
    expect(refusal).toMatchObject({ message: 'The flow has no chat input or text input.' });
  });

  it('hides secrets, says what failed, and stops', async () => {
    const { runs } = runsOf(ECHO);
    expect((await (await runs.start('a hidden word', 3))?.ended)?.text).not.toContain('hidden');
    const failed = runsOf(flowOf(readsRows('{a}'))).runs;
    expect(await (await failed.start(undefined, 3))?.ended).toMatchObject({ failure: { node: 'R' } });
    expect(await failed.latest()).toMatchObject({ failure: { node: 'R' } });
    const started = await runs.start('hello', 3);
    started?.cancel();
    expect(await started?.ended).toMatchObject({ status: 'cancelled' });
  });

  it('keeps the newest events of a long run', async () => {
    const rows = JSON.stringify(Array.from({ length: 700 }, (_, n) => ({ n })));
    const { runs } = runsOf(
      flowOf(
        `nodes:\n  T: TextInput\n  C: TypeConverterComponent\n  L: LoopComponent\n  P: ParserComponent\nedges:\n  T.text -> C.input_data\n  C.dataframe_output -> L.data\n  L.item -> P.input_data\n  P.parsed_text -> L.item\nconfig:\n  P.pattern: "{n}"\n  T.input_value: ${JSON.stringify(rows)}`,
      ),
    );
    const started = await runs.start(undefined, 3);
    expect(await started?.ended).toMatchObject({ status: 'completed' });
    const [first, ...events] = (await runs.read(started?.id ?? '')) as [string, ...{ kind: string }[]];
    expect(first).toMatch(/^\d+ earlier events$/);
    expect(events).toHaveLength(2_000);
    expect(events.at(-1)?.kind).toBe('run_finished');
  });

  it('keeps the twenty newest runs', async () => {
    const { runs } = runsOf(ECHO);
    const ids: string[] = [];
    for (let at = 0; at < 21; at++) {
      const started = await runs.start(String(at), 3);
      await started?.ended;
      ids.push(started?.id ?? '');
    }
    const kept = await Promise.all(ids.map((id) => runs.read(id)));
    expect(kept.map((events) => events !== undefined)).toEqual([false, ...Array<boolean>(20).fill(true)]);
  });
});
