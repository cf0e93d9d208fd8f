import { applyEdits, type Edit, emptyFlow, type FlowDocument } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { createElement } from 'react';
import { toDocument } from '../canvas/graph.ts';
import { usePage } from '../testing/page.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import type { Surface } from './canvas-surface.ts';
import { createPlacingActions } from './placing-actions.ts';

const screen = usePage();
const at = (id: string, x: number, y = 0) => ({ id, type: 'T', position: { x, y }, values: {} });

/** A page with a flow and a selection. */
function pageWith(part: Partial<FlowDocument>, ids: readonly string[]) {
  const page = {
    flow: { ...emptyFlow('f'), ...part } as FlowDocument,
    steps: 0,
    moves: 0,
    fits: 0,
    selected: [] as readonly string[],
    isRefused: false,
  };
  const surface = {
    boxes: () => new Map(page.flow.nodes.map(({ id, position }) => [id, { ...position, width: 100, height: 50 }])),
    selection: () => ({ ids: new Set(ids), edges: [] }),
    select: (next: readonly string[]) => void (page.selected = next),
    fitNext: () => void (page.fits += 1),
  } as unknown as Surface;
  const apply = (edits: readonly Edit[]) => {
    if (page.isRefused) return false;
    page.flow = applyEdits(page.flow, edits).flow;
    page.steps += 1;
    return true;
  };
  const actions = createPlacingActions({
    flow: () => page.flow,
    apply,
    surface: () => surface,
    onMoves: () => void (page.moves += 1),
  });
  return { page, actions };
}

describe('tidy up', () => {
  const edges = [{ from: { node: 'a', port: 'o' }, to: { node: 'b', port: 'i' } }];

  it('is one step, and the flow begins where it began', async () => {
    const { page, actions } = pageWith({ nodes: [at('a', 900, 700), at('b', 500, 600)], edges }, []);
    await actions.arrange();
    const [a, b] = page.flow.nodes;
    expect([page.steps, page.moves, page.fits, a?.position]).toEqual([1, 1, 1, { x: 500, y: 600 }]);
    expect(b?.position.x).toBeGreaterThan(700);
    await actions.arrange();
    expect([page.steps, page.moves, page.fits]).toEqual([1, 1, 1]);
  });

  it('begins at the corner of a flow, and leaves one without components', async () => {
    const { page, actions } = pageWith({ nodes: [at('a', 900, 100), at('b', 500, 600)], edges }, []);
    await actions.arrange();
    const positions = page.flow.nodes.map(({ position }) => position);
    expect([Math.min(...positions.map(({ x }) => x)), Math.min(...positions.map(({ y }) => y))]).toEqual([500, 100]);
    const empty = pageWith({}, []);
    await empty.actions.arrange();
    expect([empty.page.steps, empty.page.moves]).toEqual([0, 0]);
  });

  it('puts no component onto a note, and leaves the notes', async () => {
    const size = { width: 300, height: 200 };
    const notes = [
      { id: 'near', position: { x: 900, y: 90 }, size, text: '' },
      { id: 'below', position: { x: 500, y: 300 }, size, text: '' },
      { id: 'far', position: { x: 500, y: 2_000 }, size, text: '' },
    ];
    const { page, actions } = pageWith({ nodes: [at('a', 500, 100), at('b', 500, 600)], edges, notes }, []);
    await actions.arrange();
    expect([page.steps, page.flow.notes]).toEqual([1, notes]);
    const [a, b] = page.flow.nodes.map(({ position }) => position);
    expect(a).toEqual({ x: 500, y: 540 });
    expect([b?.y, (b?.x ?? 0) > 700]).toEqual([540, true]);
    await actions.arrange();
    expect(page.steps).toBe(1);
  });

  it('leaves out a component that is removed meanwhile', async () => {
    const { page, actions } = pageWith({ nodes: [at('a', 9), at('b', 5)], edges }, []);
    const done = actions.arrange();
    page.flow = applyEdits(page.flow, [{ kind: 'remove_component', id: 'b' }]).flow;
    await done;
    expect(page.flow.nodes.map(({ id }) => id)).toEqual(['a']);
  });
});

describe('groups', () => {
  const nodes = [at('a', 0), at('b', 100), at('c', 200)];

  it('take the selected components out of other groups', () => {
    const groups = [
      { id: 'one', name: '', nodes: ['a', 'c'] },
      { id: 'two', name: '', nodes: ['b'] },
    ];
    const { page, actions } = pageWith({ nodes, groups }, ['a', 'b', 'one']);
    actions.group();
    expect(page.steps).toBe(1);
    expect(page.flow.groups.map(({ nodes: ids }) => ids)).toEqual([['c'], ['a', 'b']]);
    expect(page.selected).toEqual([page.flow.groups[1]?.id]);
    actions.renameGroup('one', 'Rest');
    expect(page.flow.groups[0]?.name).toBe('Rest');
    actions.ungroup(new Set(['c']));
    expect(page.flow.groups).toHaveLength(1);
    expect(page.flow.nodes).toHaveLength(3);
  });
});

it('aligns the selected components on the scale of the document, and makes no empty step', () => {
  const { page, actions } = pageWith({ nodes: [at('a', 0), at('b', 54, 70)] }, ['a', 'b']);
  actions.align('left');
  expect(page.flow.nodes.map(({ position }) => position.x)).toEqual([0, 0]);
  expect(page.flow.nodes[1]?.position.y).toBe(100);
  actions.align('left');
  actions.distribute('x');
  expect(page.steps).toBe(1);
});

describe('a group', () => {
  const nodes = [at('a', 0), at('b', 100), at('c', 200)];
  const groups = [
    { id: 'one', name: 'One', nodes: ['a'] },
    { id: 'two', name: 'Two', nodes: ['b', 'c'] },
  ];

  it('needs components', async () => {
    dismissToasts();
    const { page, actions } = pageWith({ nodes, groups }, ['one']);
    actions.group();
    const box = await screen.show(createElement(Toaster));
    expect([page.steps, box.textContent]).toEqual([
      0,
      expect.stringContaining('Select the components of the group first.'),
    ]);
    dismissToasts();
  });

  it('leaves the other groups as they are', () => {
    const { page, actions } = pageWith({ nodes, groups }, ['a']);
    actions.group();
    expect(page.flow.groups).toEqual([groups[1], { id: page.selected[0], name: '', nodes: ['a'] }]);
  });

  it('is not selected where the flow refuses it', () => {
    const { page, actions } = pageWith({ nodes, groups }, ['a']);
    page.isRefused = true;
    actions.group();
    expect([page.selected, page.flow.groups]).toEqual([[], groups]);
  });

  it('is dissolved where it or one of its components is selected', () => {
    const left = (ids: readonly string[]) => {
      const { page, actions } = pageWith({ nodes, groups }, ids);
      actions.ungroup();
      return [page.steps, ...page.flow.groups.map(({ id }) => id)];
    };
    expect([left(['one']), left(['c']), left([]), left(['one', 'b'])]).toEqual([
      [1, 'two'],
      [1, 'one'],
      [0, 'one', 'two'],
      [1],
    ]);
  });

  it('is renamed where it is there', () => {
    const { page, actions } = pageWith({ nodes, groups }, []);
    actions.renameGroup('gone', 'x');
    expect(page.steps).toBe(0);
    actions.renameGroup('two', 'New');
    expect(page.flow.groups).toEqual([groups[0], { ...groups[1], name: 'New' }]);
  });
});

it('distributes the selected components, and leaves the others', () => {
  const all = [at('a', 0), at('b', 150), at('c', 900), at('d', 151)];
  const { page, actions } = pageWith({ nodes: all }, ['a', 'b', 'c']);
  actions.distribute('x');
  const positions = page.flow.nodes.map(({ position }) => position.x);
  expect([positions, page.moves]).toEqual([[0, toDocument({ x: 450, y: 0 }).x, 900, 151], 1]);
});
