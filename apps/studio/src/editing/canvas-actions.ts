import {
  connectPorts,
  type Edit,
  type FlowDocument,
  type FlowEdge,
  FlowError,
  type FlowNote,
  type PortRef,
  type Position,
} from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';
import { toCanvas, toDocument } from '../canvas/graph.ts';
import type { EditStore } from '../canvas/edit-state.ts';
import { offerUndo, stepToast } from '../canvas/step-toast.ts';
import type { Direction } from '../canvas/undo-stack.ts';
import type { Apply } from '../canvas/use-flow-edits.ts';
import { toast } from '../ui/toast.tsx';
import { type Addition, additionOf, freshId } from './add-component.ts';
import { freePlace, type Size } from './free-place.ts';
import { makeRoom, NEW_SIZE } from './make-room.ts';
import type { Selection, Surface } from './canvas-surface.ts';
import { copyText, partOf, pasteEdits, readCopied } from './clipboard.ts';
import { refusalOf, type WireRefusal } from './explain-wire.ts';
import { curlNode } from './curl-node.ts';
import { edgeBetween, fitsIn, portsOn, portUnder, type WireEnd } from './fitting-ports.ts';
import { sharedInput } from './shared-input.ts';
import { createPlacingActions } from './placing-actions.ts';

/** Where a new component comes; `at` is a position on the canvas. */
export type Place = Pick<Addition, 'from' | 'to' | 'instead'> & { readonly at?: Position | undefined };

export interface CanvasActionsOptions {
  readonly edits: Pick<EditStore, 'get' | 'step' | 'onNextStep'>;
  readonly apply: Apply;
  readonly registry: ComponentsRegistry;
  readonly surface: () => Surface | undefined;
  /** Shows why a connection cannot be made. */
  readonly onRefused: (refusal: WireRefusal) => void;
  /** Called before components move by themselves. */
  readonly onMoves: () => void;
}

export type CanvasActions = ReturnType<typeof createCanvasActions>;

const NOTE_SIZE = { width: 420, height: 200 };
/** A copy appears this far from its original, or below it. */
const COPY_OFFSET = 32;

/** Everything that a person does on the canvas, as edits. */
export function createCanvasActions(options: CanvasActionsOptions) {
  const { edits, apply, registry, surface, onRefused, onMoves } = options;
  const flow = () => edits.get().document;
  /** Applies edits that connect, and says how the values come together if an input then has several connections. */
  const connecting: Apply = (list) => {
    if (!apply(list)) return false;
    for (const edit of list) {
      const shared = edit.kind === 'connect' ? sharedInput(flow(), registry, edit.edge) : undefined;
      if (shared === undefined) continue;
      const keepOne = () => void apply(shared.others.map((edge): Edit => ({ kind: 'disconnect', edge })));
      stepToast(edits, { text: shared.sentence, action: { label: 'Keep only the new one', run: keepOne } });
      break;
    }
    return true;
  };
  const boxes = () => [...(surface()?.boxes().values() ?? [])];
  const placeFor = ({ at, from, to }: Place): Position => {
    if (at) return { x: Math.round(at.x), y: Math.round(at.y) };
    const known = surface()?.boxes();
    const [left, right] = [from && known?.get(from.node), to && known?.get(to.node)];
    if (left && right) return freePlace({ x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 }, NEW_SIZE, boxes());
    if (left) return freePlace({ x: left.x + left.width + 72, y: left.y }, NEW_SIZE, boxes());
    if (right) return freePlace({ x: right.x - NEW_SIZE.width - 72, y: right.y }, NEW_SIZE, boxes());
    const [chosen, ...others] = surface()?.selection().ids ?? [];
    const beside = others.length === 0 && chosen !== undefined ? known?.get(chosen) : undefined;
    if (beside) return freePlace({ x: beside.x + beside.width + 72, y: beside.y }, NEW_SIZE, boxes());
    const middle = surface()?.middle() ?? { x: 0, y: 0 };
    const center = { x: middle.x - NEW_SIZE.width / 2, y: middle.y - NEW_SIZE.height / 2 };
    return freePlace(center, NEW_SIZE, boxes(), 'right');
  };
  const paste = (part: Parameters<typeof pasteEdits>[1], by: Position) => {
    const pasted = pasteEdits(flow(), part, by);
    if (apply(pasted.edits)) surface()?.select([...pasted.ids]);
  };
  const actions = {
    ...createPlacingActions({ flow, apply, surface, onMoves }),
    /** The components among ids. */
    componentsIn: (ids: ReadonlySet<string>) => flow().nodes.flatMap(({ id }) => (ids.has(id) ? [id] : [])),
    /** Adds a component, connected to the ends of its place where it has some. */
    add(type: string, place: Place = {}): boolean {
      const moved = place.at === undefined ? makeRoom(flow(), place, surface()?.boxes()) : undefined;
      const position = toDocument(moved?.at ?? placeFor(place));
      const added = additionOf(flow(), registry, { ...place, type, position });
      if (!added) return false;
      if (moved) onMoves();
      const shift: Edit[] = moved ? [{ kind: 'move', positions: moved.positions }] : [];
      if (!connecting([...added.edits, ...shift])) return false;
      surface()?.select([added.id]);
      return true;
    },
    addNote(at?: Position) {
      const middle = at ?? surface()?.middle() ?? { x: 0, y: 0 };
      const place = at ?? freePlace({ x: middle.x - 113, y: middle.y - 70 }, { width: 227, height: 140 }, boxes());
      const note: FlowNote = { id: freshId(flow(), 'note'), position: toDocument(place), size: NOTE_SIZE, text: '' };
      if (apply([{ kind: 'set_note', note }])) surface()?.select([note.id]);
    },
    setNote: (id: string, change: Partial<Pick<FlowNote, 'text' | 'size' | 'position'>>) => {
      const note = flow().notes.find((each) => each.id === id);
      if (note) apply([{ kind: 'set_note', note: { ...note, ...change } }]);
    },
    move: (positions: Readonly<Record<string, Position>>) => apply([{ kind: 'move', positions }]),
    fits: (end: WireEnd) => fitsIn(flow(), registry, end),
    canConnect: (edge: FlowEdge) => refusalOf(flow(), registry, edge) === undefined,
    /** Connects two ports, or says why that cannot be. */
    connect(edge: FlowEdge): boolean {
      const refusal = refusalOf(flow(), registry, edge);
      if (refusal) {
        onRefused(refusal);
        return false;
      }
      return connecting(connectPorts(flow(), registry, edge));
    },
    /** A wire that met a port that does not fit. */
    meet(end: WireEnd, other: PortRef, isSameSide: boolean) {
      if (isSameSide) onRefused({ sentence: 'Connect an output, on the right side, with an input on the left side.' });
      else actions.connect(edgeBetween(end, other));
    },
    /** A wire that met a component and none of its ports. */
    connectToNode(end: WireEnd, id: string) {
      const document = flow();
      const node = document.nodes.find((each) => each.id === id);
      const entry = node && registry.get(node.type);
      const port = portUnder(document, registry, end, id);
      const other = node && entry && portsOn(end.side === 'output' ? 'input' : 'output', node, entry)[0];
      if (port !== undefined) actions.connect(edgeBetween(end, { node: id, port }));
      else if (other) actions.connect(edgeBetween(end, { node: id, port: other.name }));
      else onRefused({ sentence: `This component has no ${end.side === 'output' ? 'input' : 'output'} to connect.` });
    },
    /** Moves an end of an edge to another port. */
    reconnect(old: FlowEdge, edge: FlowEdge) {
      const refusal = refusalOf(flow(), registry, edge);
      if (refusal) return onRefused(refusal);
      connecting([{ kind: 'disconnect', edge: old }, ...connectPorts(flow(), registry, edge)]);
    },
    disconnect: (edge: FlowEdge) => apply([{ kind: 'disconnect', edge }]),
    /** Removes what is selected. A notification offers to take it back. */
    remove({ ids, edges } = surface()?.selection() ?? NOTHING): void {
      const { nodes, notes, groups } = flow();
      const gone: Edit[] = [
        ...edges
          .filter(({ from, to }) => !ids.has(from.node) && !ids.has(to.node))
          .map((edge): Edit => ({ kind: 'disconnect', edge })),
        ...nodes.filter(({ id }) => ids.has(id)).map(({ id }): Edit => ({ kind: 'remove_component', id })),
        ...notes.filter(({ id }) => ids.has(id)).map(({ id }): Edit => ({ kind: 'remove_note', id })),
        ...groups.filter(({ id }) => ids.has(id)).map(({ id }): Edit => ({ kind: 'remove_group', id })),
      ];
      if (gone.length === 0 || !apply(gone)) return;
      offerUndo(edits, `Removed ${countOf(gone)}.`);
    },
    step: (direction: Direction) => void edits.step(direction),
    /** A copy of a part of the flow, with its secrets, beside it. */
    duplicate(chosen = surface()?.selection().ids ?? NOTHING.ids) {
      const ids = withMembers(flow(), chosen);
      const own = around([...(surface()?.boxes() ?? [])].flatMap(([id, box]) => (ids.has(id) ? [box] : [])));
      if (own === undefined) return;
      const place = freePlace({ x: own.x + COPY_OFFSET, y: own.y + COPY_OFFSET }, own, boxes());
      paste(partOf(flow(), ids), toDocument({ x: place.x - own.x, y: place.y - own.y }));
    },
    /** The selection as text without secrets; undefined where nothing is. */
    copied(): string | undefined {
      const ids = withMembers(flow(), (surface()?.selection() ?? NOTHING).ids);
      return ids.size === 0 ? undefined : copyText(partOf(flow(), ids), registry);
    },
    /** Adds what a text of the clipboard has. @returns whether it has something */
    pasteText(text: string): boolean {
      const request = curlNode(text, flow(), registry, toDocument(placeFor({})));
      if (request) {
        if (apply([{ kind: 'add_component', node: request }])) surface()?.select([request.id]);
        return true;
      }
      try {
        const part = readCopied(text);
        if (part === undefined) return false;
        const own = around(
          [...part.nodes, ...part.notes].map(({ position }) => ({ ...toCanvas(position), ...NEW_SIZE })),
        ) ?? { x: 0, y: 0, ...NEW_SIZE };
        const middle = surface()?.middle() ?? own;
        const at = { x: middle.x - own.width / 2, y: middle.y - own.height / 2 };
        const place = freePlace(at, own, boxes());
        paste(part, toDocument({ x: place.x - own.x, y: place.y - own.y }));
        return true;
      } catch (error) {
        if (!(error instanceof FlowError)) throw error;
        toast({ tone: 'bad', text: `Nothing was pasted. ${error.message}` });
        return true;
      }
    },
  };
  return actions;
}

const NOTHING: Selection = { ids: new Set(), edges: [] };

/** The ids with the components of the groups among them. */
function withMembers({ groups }: FlowDocument, ids: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...ids, ...groups.flatMap(({ id, nodes }) => (ids.has(id) ? nodes : []))]);
}

/** The box around boxes; undefined without any. */
function around(boxes: readonly (Position & Size)[]): (Position & Size) | undefined {
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

function countOf(edits: readonly Edit[]): string {
  const words: readonly (readonly [Edit['kind'], string])[] = [
    ['remove_component', 'component'],
    ['remove_note', 'note'],
    ['remove_group', 'group'],
    ['disconnect', 'connection'],
  ];
  const parts = words.flatMap(([kind, word]) => {
    const count = edits.filter((edit) => edit.kind === kind).length;
    return count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`];
  });
  return parts.join(', ');
}
