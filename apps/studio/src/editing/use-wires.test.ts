import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import type { CanvasActions } from './canvas-actions.ts';
import { type DroppedWire, useWires } from './use-wires.ts';
import { createWiringStore, WiringContext } from './wiring.ts';

const page = usePage();
const edge = { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } };
const connection = { source: 'a', sourceHandle: 'out', target: 'b', targetHandle: 'in' };

async function open(isEditable = true) {
  const calls: unknown[][] = [];
  const dropped: DroppedWire[] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
      return name === 'canConnect';
    };
  const names = ['canConnect', 'connect', 'reconnect', 'meet', 'connectToNode'];
  const actions = Object.fromEntries(names.map((name) => [name, note(name)])) as unknown as CanvasActions;
  const all = { ...actions, fits: () => new Map([['b', new Set(['in'])]]) } as unknown as CanvasActions;
  const store = createWiringStore();
  const onDropped = (wire: DroppedWire) => void dropped.push(wire);
  const hook = await page.hook(
    () => useWires(isEditable ? all : undefined, onDropped),
    (inner) => createElement(WiringContext, { value: store }, inner),
  );
  const wires = hook.current as Required<Extract<typeof hook.current, { onConnectEnd?: unknown }>>;
  const start = (handleType: 'source' | 'target' = 'source') =>
    wires.onConnectStart({} as never, { nodeId: 'a', handleId: 'out', handleType } as never);
  const under = (html: string) => {
    document.body.innerHTML = html;
    document.elementFromPoint = () => document.querySelector('#under');
  };
  const end = (state: object = {}, event: object = { clientX: 3, clientY: 4 }) =>
    wires.onConnectEnd(
      event as never,
      { isValid: false, fromHandle: { type: 'source' }, toHandle: null, ...state } as never,
    );
  return { wires, store, calls, dropped, start, under, end };
}

it('draws no wires where the flow cannot be edited', async () => {
  expect((await open(false)).wires).toEqual({ nodesConnectable: false });
});

it('lights up the ports that fit the wire, until it ends', async () => {
  const { store, start, end, under } = await open();
  under('');
  start('target');
  expect(store.get()).toMatchObject({ end: { node: 'a', port: 'out', side: 'input' } });
  expect([...(store.get()?.fits.keys() ?? [])]).toEqual(['b']);
  end();
  expect(store.get()).toBeUndefined();
});

it('connects, reconnects and checks by the ports of both ends', async () => {
  const { wires, calls } = await open();
  expect(wires.isValidConnection(connection as never)).toBe(true);
  wires.onConnect(connection as never);
  wires.onReconnect({ data: { edge: 'old' } } as never, connection as never);
  wires.onReconnect({} as never, connection as never);
  expect(calls).toEqual([
    ['canConnect', edge],
    ['connect', edge],
    ['reconnect', 'old', edge],
  ]);
});

it('says why it does not fit the port where it ends, and nothing where it does', async () => {
  const { calls, start, end } = await open();
  const wire = { node: 'a', port: 'out', side: 'output' };
  start();
  end({ toHandle: { nodeId: 'b', id: 'in', type: 'target' } });
  start();
  end({ toHandle: { nodeId: 'b', id: 'out', type: 'source' } });
  start();
  end({ isValid: true, toHandle: { nodeId: 'b', id: 'in', type: 'target' } });
  expect(calls).toEqual([
    ['meet', wire, { node: 'b', port: 'in' }, false],
    ['meet', wire, { node: 'b', port: 'out' }, true],
  ]);
});

it('connects with the component under it, and offers new ones on the empty canvas', async () => {
  const { calls, dropped, start, under, end } = await open();
  const card = (id: string) => under(`<div class="react-flow__node" data-id="${id}"><b id="under"></b></div>`);
  card('b');
  start();
  end();
  card('a');
  start();
  end();
  const wire = { node: 'a', port: 'out', side: 'output' };
  expect([calls, dropped]).toEqual([[['connectToNode', wire, 'b']], []]);
  under('<div class="react-flow__pane" id="under"></div>');
  start();
  end();
  start();
  end({}, { changedTouches: [{ clientX: 5, clientY: 6 }] });
  under('<aside id="under"></aside>');
  start();
  end();
  expect(dropped).toEqual([
    { end: wire, at: { x: 3, y: 4 } },
    { end: wire, at: { x: 5, y: 6 } },
  ]);
});
