import type { FlowGroup, Position } from '@croft/flow';
import { applyNodeChanges, type NodeChange } from '@xyflow/react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { type FrameNode, framesOf, membersMoved } from './frames.ts';
import { type CanvasNode, type Graph, toDocument } from './graph.ts';

const NOTHING: ReadonlySet<string> = new Set();

/** The components, notes and frames of groups as React Flow draws and changes them. */
export function useCanvasItems(
  graph: Graph,
  groups: readonly FlowGroup[],
  move: ((positions: Readonly<Record<string, Position>>) => unknown) | undefined,
) {
  const [nodes, setNodes] = useState<CanvasNode[]>([...graph.nodes]);
  // Drawn together with the nodes of the same document, so that a new group is selected when it is drawn first.
  const [shown, setShown] = useState({ groups, selected: NOTHING });
  const isReadOnly = move === undefined;
  const frames = useMemo(() => framesOf(shown.groups, nodes, shown.selected, isReadOnly), [shown, nodes, isReadOnly]);
  const items = useMemo(
    (): (CanvasNode | FrameNode)[] => (frames.length > 0 ? [...frames, ...nodes] : nodes),
    [frames, nodes],
  );
  const selected = JSON.stringify(items.filter((item) => item.selected === true).map(({ id }) => id));
  const latest = useRef({ graph, groups: shown.groups, nodes, frames, move });
  latest.current = { graph, groups: shown.groups, nodes, frames, move };
  const change = useCallback((changes: NodeChange<CanvasNode | FrameNode>[]) => {
    const { current } = latest;
    const isFrame = new Set(current.frames.map(({ id }) => id));
    const own = changes.filter((each) => !('id' in each) || !isFrame.has(each.id)) as NodeChange<CanvasNode>[];
    const ofFrames = changes.filter((each) => 'id' in each && isFrame.has(each.id));
    for (const each of ofFrames)
      if (each.type === 'select')
        setShown((before) => ({ ...before, selected: withId(before.selected, each.id, each.selected) }));
    const places = new Map<string, Position>();
    for (const each of ofFrames) if (each.type === 'position' && each.position) places.set(each.id, each.position);
    const isDropped = ofFrames.some((each) => each.type === 'position' && each.dragging === false);
    const touched = new Set(own.flatMap((each) => (each.type === 'position' ? [each.id] : [])));
    const carried = [...membersMoved(current.groups, current.nodes, current.frames, places)].flatMap(
      ([id, position]): NodeChange<CanvasNode>[] =>
        touched.has(id) ? [] : [{ type: 'position', id, position, dragging: !isDropped }],
    );
    const all = [...own, ...carried];
    const sized = new Set(own.flatMap((each) => (each.type === 'dimensions' ? [each.id] : [])));
    if (all.length > 0)
      setNodes((before) => {
        const next = applyNodeChanges(all, before);
        return sized.size > 0 ? next.map((each) => (sized.has(each.id) ? withoutHandles(each) : each)) : next;
      });
    const moved = movesOf(all, current.graph);
    if (Object.keys(moved).length > 0) current.move?.(moved);
  }, []);
  /** Draws another document. `chosen` is selected, where it is given. */
  const show = useCallback((next: Graph, all: readonly FlowGroup[], chosen: ReadonlySet<string> | undefined) => {
    setNodes((before) => withMeasures(next.nodes, before, chosen));
    setShown((before) => ({ groups: all, selected: chosen ?? before.selected }));
  }, []);
  const selectDrawn = useCallback((ids: ReadonlySet<string>) => {
    setNodes((before) =>
      before.map((each) =>
        (each.selected ?? false) === ids.has(each.id) ? each : { ...each, selected: ids.has(each.id) },
      ),
    );
    setShown((before) => ({ ...before, selected: ids }));
  }, []);
  return { items, selected, change, show, selectDrawn };
}

function withId(before: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(before);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}

/** The places of the document that changes lead to. While a note is resized, changes of its position do not say whether it is dragged. */
function movesOf(changes: readonly NodeChange<CanvasNode>[], { made }: Graph): Record<string, Position> {
  const moved: Record<string, Position> = {};
  for (const each of changes) {
    if (each.type !== 'position' || !each.position || each.dragging !== false) continue;
    const place = toDocument(each.position);
    const old = made.get(each.id)?.item as CanvasNode | undefined;
    const known = old && toDocument(old.position);
    if (known?.x !== place.x || known.y !== place.y) moved[each.id] = place;
  }
  return moved;
}

/** The size is not the computed one, so the ports are not where `cardHandles` says: React Flow keeps those that it measured. */
const withoutHandles = (node: CanvasNode) => ({ ...node, handles: undefined }) as CanvasNode;

/** Keeps what React Flow added to nodes: their size and selection. A node that is dragged keeps its place. */
function withMeasures(
  next: readonly CanvasNode[],
  before: readonly CanvasNode[],
  chosen: ReadonlySet<string> | undefined,
): CanvasNode[] {
  const known = new Map(before.map((each) => [each.id, each]));
  return next.map((each) => {
    const old = known.get(each.id);
    const selected = chosen ? chosen.has(each.id) : old?.selected;
    if (old === undefined) return selected ? { ...each, selected } : each;
    const { measured, dragging, handles } = old;
    const isSame = old.data === each.data && old.position === each.position && old.selected === selected;
    if (isSame && old.height === each.height && old.draggable === each.draggable) return old;
    const kept = { ...each, selected, dragging, ...(dragging && { position: old.position }) } as CanvasNode;
    return handles ? kept : withoutHandles({ ...kept, ...(measured && { measured }) });
  });
}
