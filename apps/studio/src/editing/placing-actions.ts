import type { Edit, FlowDocument, Position } from '@croft/flow';
import { toDocument } from '../canvas/graph.ts';
import type { Apply } from '../canvas/use-flow-edits.ts';
import { arrangeFlow, USUAL_SIZE } from '../layout/arrange-flow.ts';
import { belowNotes } from '../layout/below-notes.ts';
import { toast } from '../ui/toast.tsx';
import { freshId } from './add-component.ts';
import { align, type Alignment, type Axis, type Box, distribute } from './align.ts';
import type { Surface } from './canvas-surface.ts';

export interface PlacingOptions {
  readonly flow: () => FlowDocument;
  readonly apply: Apply;
  readonly surface: () => Surface | undefined;
  /** Called before components move by themselves. */
  readonly onMoves: () => void;
}

/** Actions that place components: arrange all, align some, group some. Each is one step of undo. */
export function createPlacingActions({ flow, apply, surface, onMoves }: PlacingOptions) {
  const selectedBoxes = (): ReadonlyMap<string, Box> => {
    const ids = surface()?.selection().ids;
    return new Map([...(surface()?.boxes() ?? [])].filter(([id]) => ids?.has(id)));
  };
  const move = (positions: Readonly<Record<string, Position>>) => {
    if (Object.keys(positions).length === 0) return;
    onMoves();
    apply([{ kind: 'move', positions }]);
  };
  const moveOnCanvas = (places: Readonly<Record<string, Position>>) =>
    move(Object.fromEntries(Object.entries(places).map(([id, place]) => [id, toDocument(place)])));
  return {
    /**
     * Arranges all components around the corner where they begin now, or below the notes that they would cover there. Takes
     * up to 1.5 s: components removed meanwhile are left out.
     */
    async arrange(): Promise<void> {
      const start = cornerOf(flow().nodes.map(({ position }) => position));
      const sizes = new Map(
        [...(surface()?.boxes() ?? [])].map(([id, { width, height }]) => {
          const { x, y } = toDocument({ x: width, y: height });
          return [id, { width: x, height: y }];
        }),
      );
      const edit = await arrangeFlow(flow(), { sizes });
      if (edit.kind !== 'move') return;
      const corner = cornerOf(Object.values(edit.positions));
      const { nodes, notes } = flow();
      const arranged = nodes.flatMap(({ id }): [string, Position][] => {
        const to = edit.positions[id];
        return to === undefined ? [] : [[id, { x: to.x + start.x - corner.x, y: to.y + start.y - corner.y }]];
      });
      const by = belowNotes(
        arranged.map(([id, place]) => ({ ...place, ...(sizes.get(id) ?? USUAL_SIZE) })),
        notes.map(({ position, size }) => ({ ...position, ...size })),
      );
      const now = new Map(nodes.map(({ id, position }) => [id, position]));
      const places = arranged
        .map(([id, { x, y }]): [string, Position] => [id, { x, y: y + by }])
        .filter(([id, { x, y }]) => x !== now.get(id)?.x || y !== now.get(id)?.y);
      if (places.length > 0) surface()?.fitNext();
      move(Object.fromEntries(places));
    },
    align: (how: Alignment) => moveOnCanvas(align(selectedBoxes(), how)),
    distribute: (axis: Axis) => moveOnCanvas(distribute(selectedBoxes(), axis)),
    /** Puts the selected components in one group. They leave the groups in which they are. */
    group(): void {
      const { nodes, groups } = flow();
      const ids = surface()?.selection().ids ?? new Set();
      const members = nodes.flatMap(({ id }) => (ids.has(id) ? [id] : []));
      if (members.length === 0) return void toast({ text: 'Select the components of the group first.' });
      const left = groups.flatMap((each): Edit[] => {
        const rest = each.nodes.filter((id) => !members.includes(id));
        if (rest.length === each.nodes.length) return [];
        return [rest.length === 0 ? { kind: 'remove_group', id: each.id } : setNodes(each, rest)];
      });
      const group = { id: freshId(flow(), 'group'), name: '', nodes: members };
      if (apply([...left, { kind: 'set_group', group }])) surface()?.select([group.id]);
    },
    /** Removes groups; their components stay. Those that are selected, or have a selected component. */
    ungroup(ids: ReadonlySet<string> = surface()?.selection().ids ?? new Set()): void {
      const gone = flow().groups.filter(({ id, nodes }) => ids.has(id) || nodes.some((each) => ids.has(each)));
      if (gone.length > 0) apply(gone.map(({ id }) => ({ kind: 'remove_group', id })));
    },
    renameGroup(id: string, name: string): void {
      const group = flow().groups.find((each) => each.id === id);
      if (group) apply([{ kind: 'set_group', group: { ...group, name } }]);
    },
  };
}

const setNodes = (group: FlowDocument['groups'][number], nodes: readonly string[]): Edit => ({
  kind: 'set_group',
  group: { ...group, nodes },
});

/** The upper left corner around positions. */
function cornerOf(positions: readonly Position[]): Position {
  if (positions.length === 0) return { x: 0, y: 0 };
  return {
    x: positions.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY),
    y: positions.reduce((least, { y }) => Math.min(least, y), Number.POSITIVE_INFINITY),
  };
}
