import { contentOf, type Edit } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { flowOf, registry } from '../../../tests/support/tool-context.ts';
import type { AssistantEvent } from './events.ts';
import { type MemoryCanvas, memoryCanvas } from './testing.ts';
import type { Canvas } from './turn.ts';
import { openWorkingFlow } from './working-flow.ts';

const ECHO = flowOf('name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n');
const DATE = flowOf('name: Date\nnodes:\n  D: CurrentDate\n');
const remove = (id: string): Edit => ({ kind: 'remove_component', id });

async function open(start = ECHO, more: Partial<Canvas> = {}, signal = new AbortController().signal) {
  const canvas = memoryCanvas(start);
  const events: AssistantEvent[] = [];
  // The canvas in memory has getters, which a copy would read once.
  const given = new Proxy(canvas, {
    get: (target, name) => (more as never)[name] ?? target[name as keyof MemoryCanvas],
  });
  const working = await openWorkingFlow({
    canvas: given,
    registry,
    turnId: 't',
    signal,
    emit: (event) => events.push(event),
  });
  return { canvas, events, working };
}
const ids = (flow: { nodes: readonly { id: string }[] }) => flow.nodes.map(({ id }) => id);

describe('edits', () => {
  it('are stored with a restore point from before the first one, and reported', async () => {
    const { canvas, events, working } = await open();
    await working.apply([]);
    expect([working.restorePoint, events]).toEqual([undefined, []]);
    await working.apply([remove('O-1')]);
    await working.apply([remove('I-1')]);
    expect([ids(canvas.flow), canvas.checkpoints.length, working.restorePoint]).toEqual([[], 1, 'point-1']);
    expect(ids(canvas.checkpoints[0] as never)).toEqual(['I-1', 'O-1']);
    expect(events).toMatchObject([
      { action: 'remove_component', component_id: 'O-1', version: 2 },
      { action: 'remove_component', component_id: 'I-1', version: 3 },
    ]);
    expect([working.existedBefore('O-1'), working.existedBefore('X'), ids(working.start)]).toEqual([
      true,
      false,
      ['I-1', 'O-1'],
    ]);
  });

  it('of another client reach the model once', async () => {
    const { canvas, working } = await open();
    canvas.change([remove('O-1')]);
    expect(ids(await working.read())).toEqual(['I-1']);
    expect(working.takeNews()).toMatch(
      /^The user or another client changed the canvas: .*O-1.*\. Their changes count; do not undo them\.$/,
    );
    expect(working.takeNews()).toBeUndefined();
    canvas.change([remove('I-1')]);
    await working.apply([{ kind: 'set_details', name: 'New' }]);
    expect(working.takeNews()).toBe('Another client changed the canvas during this edit. Both changes are kept.');
  });

  it('are not made after the turn ended', async () => {
    const stop = new AbortController();
    const { canvas, working } = await open(ECHO, {}, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(working.apply([remove('O-1')])).rejects.toThrow('stopped');
    await expect(working.undo()).rejects.toThrow('stopped');
    expect(canvas.version).toBe(1);
  });
});

describe('a built flow', () => {
  it('waits for the user, and edits change only what waits', async () => {
    const { canvas, events, working } = await open();
    await working.build(DATE, false, 'daily');
    expect([ids(await working.read()), working.proposal?.id, canvas.version]).toEqual([['D-1'], 't-1', 1]);
    expect(events).toMatchObject([
      {
        action: 'set_flow',
        auto_apply: false,
        id: 't-1',
        template: 'daily',
        name: 'Date',
        node_count: 1,
        edge_count: 0,
      },
    ]);
    await working.apply([remove('D-1')]);
    expect([working.proposal?.flow.nodes, canvas.version, events.length]).toEqual([[], 1, 2]);
    await working.build(DATE, false, undefined);
    expect(working.proposal?.id).toBe('t-2');
    expect(events.at(-1)).not.toHaveProperty('template');
  });

  it('says why it cannot be added beside the canvas', async () => {
    const { events, working } = await open();
    await working.build(ECHO, false, undefined);
    await working.build(DATE, false, undefined);
    expect([events[0], events[1]]).toEqual([
      expect.objectContaining({ no_add: expect.stringContaining('one place where a message comes in') }),
      expect.not.objectContaining({ no_add: expect.anything() }),
    ]);
  });

  it('comes onto the canvas at once on request: beside it, or in its place', async () => {
    const beside = await open();
    await beside.working.build(DATE, true, undefined);
    expect(ids(beside.canvas.flow)).toEqual(['I-1', 'O-1', 'D-1']);
    expect(beside.events).toMatchObject([{ auto_apply: true, version: 2 }]);
    expect(beside.working.proposal).toBeUndefined();
    const instead = await open(ECHO, { builtFlowReplaces: true });
    await instead.working.build(DATE, true, undefined);
    expect(ids(instead.canvas.flow)).toEqual(['D-1']);
  });

  it('is shown as a run would use it, and landed only where the canvas did not change', async () => {
    const { canvas, working } = await open();
    expect(await working.prospect()).toEqual({ flow: ECHO, version: 1 });
    await working.build(DATE, false, undefined);
    const prospect = await working.prospect();
    expect([ids(prospect.flow), prospect.version, prospect.landing?.mode]).toEqual([['I-1', 'O-1', 'D-1'], 1, 'add']);
    canvas.change([remove('O-1')]);
    expect(await working.land(prospect)).toBe(false);
    expect(working.proposal).toBeDefined();
    expect(await working.land(await working.prospect())).toBe(true);
    expect([ids(canvas.flow), working.proposal]).toEqual([['I-1', 'D-1'], undefined]);
    expect(await working.land(prospect)).toBe(true);
  });

  it('gives up after ten tries where other clients keep changing the canvas', async () => {
    let tries = 0;
    const { working } = await open(ECHO, { editExactly: async () => void tries++ as never });
    await expect(working.build(DATE, true, undefined)).rejects.toMatchObject({
      forModel: true,
      message: expect.stringContaining('other clients keep changing it'),
    });
    expect(tries).toBe(10);
  });
});

it('undo goes back, drops what waits, and says what it did', async () => {
  const { canvas, events, working } = await open();
  await working.apply([remove('O-1')]);
  await working.build(DATE, false, undefined);
  expect(await working.undo()).toContain('brought back');
  expect([ids(canvas.flow), working.proposal]).toEqual([['I-1', 'O-1'], undefined]);
  expect(events.at(-1)).toEqual({
    event: 'flow_update',
    action: 'edit',
    edit: { kind: 'set_flow', flow: contentOf(canvas.flow) },
    version: 3,
  });
});
