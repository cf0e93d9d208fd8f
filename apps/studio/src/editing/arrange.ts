import { type FlowDocument, layoutFlow, type Position } from '@croft/flow';

/** The size of a node, in the units of the positions. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const GAP = { x: 72, y: 28 };

/**
 * Positions in columns: each node right of all that lead to it, beside the nodes that it is connected to, without overlaps.
 * Notes keep their places. Pure; linear but for the sorting of a column.
 */
export function arrange(
  flow: Pick<FlowDocument, 'nodes' | 'edges'>,
  sizeOf: (id: string) => Size,
): Readonly<Record<string, Position>> {
  const columns = columnsOf(flow);
  const neighbours = new Map<string, string[]>(flow.nodes.map(({ id }) => [id, []]));
  for (const { from, to } of flow.edges) {
    neighbours.get(to.node)?.push(from.node);
    neighbours.get(from.node)?.push(to.node);
  }
  const placed: Record<string, Position> = {};
  const middles = new Map<string, number>();
  let x = 0;
  for (const ids of columns) {
    const wish = new Map(ids.map((id) => [id, middleOf(neighbours.get(id) ?? [], middles)]));
    const inOrder = ids.toSorted((one, other) => (wish.get(one) ?? 0) - (wish.get(other) ?? 0));
    const height = inOrder.reduce((sum, id) => sum + sizeOf(id).height + GAP.y, -GAP.y);
    const known = [...wish.values()].filter((value) => value !== undefined);
    const centre = known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
    let y = centre - height / 2;
    for (const id of inOrder) {
      placed[id] = { x: Math.round(x), y: Math.round(y) };
      middles.set(id, y + sizeOf(id).height / 2);
      y += sizeOf(id).height + GAP.y;
    }
    x += Math.max(...ids.map((id) => sizeOf(id).width)) + GAP.x;
  }
  return placed;
}

/** The nodes in columns by longest path, as `layoutFlow` sorts them. */
function columnsOf(flow: Pick<FlowDocument, 'nodes' | 'edges'>): readonly (readonly string[])[] {
  const columns = new Map<number, string[]>();
  for (const [id, { x }] of Object.entries(layoutFlow(flow))) {
    const column = columns.get(x);
    if (column) column.push(id);
    else columns.set(x, [id]);
  }
  return [...columns].sort(([one], [other]) => one - other).map(([, ids]) => ids);
}

/** The mean height of the neighbours that have a place already. */
function middleOf(ids: readonly string[], middles: ReadonlyMap<string, number>): number | undefined {
  const known = ids.flatMap((id) => middles.get(id) ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The first place from here downwards at which a node of this size covers no other. */
export function freePlace(at: Position, size: Size, others: readonly (Position & Size)[]): Position {
  const place = { ...at };
  for (;;) {
    const hit = others.find(
      (other) =>
        place.x < other.x + other.width + GAP.y &&
        other.x < place.x + size.width + GAP.y &&
        place.y < other.y + other.height + GAP.y / 2 &&
        other.y < place.y + size.height + GAP.y / 2,
    );
    if (hit === undefined) return place;
    place.y = hit.y + hit.height + GAP.y;
  }
}
