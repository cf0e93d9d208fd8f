import { applyEdits, type Edit, emptyFlow, type FlowDocument } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import type { Surface } from './canvas-surface.ts';
import { createPlacingActions } from './placing-actions.ts';

const at = (id: string, x: number, y = 0) => ({ id, type: 'T', position: { x, y }, values: {} });

/** A page with a flow and a selection. */
function pageWith(part: Partial<FlowDocument>, ids: readonly string[]) {
  const page = { flow: { ...emptyFlow('f'), ...part } as FlowDocument, steps: 0, selected: [] as readonly string[] };
  const surface = {
    boxes: () => new Map(page.flow.nodes.map(({ id, position }) => [id, { ...position, width: 100, height: 50 }])),
    selection: () => ({ ids: new Set(ids), edges: [] }),
    select: (next: readonly string[]) => void (page.selected = next),
  } as unknown as Surface;
  const apply = (edits: readonly Edit[]) => {
    page.flow = applyEdits(page.flow, edits).flow;
    page.steps += 1;
    return true;
  };
  const actions = createPlacingActions({
    flow: () => page.flow,
    apply,
    surface: () => surface,
    onMoves: () => undefined,
  });
  return { page, actions };
}

describe('tidy up', () => {
  const edges = [{ from: { node: 'a', port: 'o' }, to: { node: 'b', port: 'i' } }];

  it('is one step, and the flow begins where it began', async () => {
    const { page, actions } = pageWith({ nodes: [at('a', 900, 700), at('b', 500, 600)], edges }, []);
    await actions.arrange();
    const [a, b] = page.flow.nodes;
    expect([page.steps, a?.position]).toEqual([1, { x: 500, y: 600 }]);
    expect(b?.position.x).toBeGreaterThan(700);
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
