import type { FlowGroup, Position } from '@croft/flow';
import type { Node } from '@xyflow/react';
import type { CanvasNode } from './graph.ts';

export type FrameNode = Node<{ readonly name: string; readonly count: number }, 'frame'>;

/** Space around the components of a group, with room for its name above them. */
const PADDING = { side: 20, top: 44, bottom: 20 };

/** A group is drawn around its components, wherever they are. A group without components is not drawn. */
export function framesOf(
  groups: readonly FlowGroup[],
  nodes: readonly CanvasNode[],
  selected: ReadonlySet<string>,
  isReadOnly: boolean,
): readonly FrameNode[] {
  if (groups.length === 0) return [];
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return groups.flatMap(({ id, name, nodes: ids }): FrameNode[] => {
    const members = ids.flatMap((each) => byId.get(each) ?? []);
    if (members.length === 0) return [];
    const left = Math.min(...members.map(({ position }) => position.x)) - PADDING.side;
    const top = Math.min(...members.map(({ position }) => position.y)) - PADDING.top;
    const right = Math.max(...members.map((each) => each.position.x + (each.measured?.width ?? each.width ?? 0)));
    const bottom = Math.max(...members.map((each) => each.position.y + (each.measured?.height ?? each.height ?? 0)));
    const [width, height] = [right + PADDING.side - left, bottom + PADDING.bottom - top];
    const title = name === '' ? 'Group' : `Group ${name}`;
    return [
      {
        id,
        type: 'frame',
        position: { x: left, y: top },
        width,
        height,
        measured: { width, height },
        // React Flow raises what is selected by 1,000, and the frame would cover its components.
        zIndex: selected.has(id) ? -1_002 : -2,
        selected: selected.has(id),
        draggable: !isReadOnly,
        connectable: false,
        ariaLabel: `${title}, ${members.length === 1 ? '1 component' : `${members.length} components`}`,
        data: { name, count: members.length },
      },
    ];
  });
}

/** Where the components of frames come when the frames come to other places. */
export function membersMoved(
  groups: readonly FlowGroup[],
  nodes: readonly CanvasNode[],
  frames: readonly FrameNode[],
  places: ReadonlyMap<string, Position>,
): ReadonlyMap<string, Position> {
  const moved = new Map<string, Position>();
  // Called for each movement of the pointer, also where only components move.
  if (places.size === 0) return moved;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const { id, position } of frames) {
    const place = places.get(id);
    const members = place && groups.find((group) => group.id === id)?.nodes;
    for (const member of members ?? []) {
      const node = byId.get(member);
      if (!node || !place || moved.has(member)) continue;
      moved.set(member, { x: node.position.x + place.x - position.x, y: node.position.y + place.y - position.y });
    }
  }
  return moved;
}
