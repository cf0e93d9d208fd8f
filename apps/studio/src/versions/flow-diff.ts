import {
  type Descriptor,
  edgeKey,
  type Field,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  type FlowNote,
  type Json,
  nodeTitle,
} from '@croft/flow';
import { fieldText } from '../canvas/node-view.ts';

export type Change = 'added' | 'removed' | 'changed';

/** A part that differs, in words. An empty text: it has no value. */
export interface PartChange {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** A component or note that differs. */
export interface ItemChange {
  readonly id: string;
  readonly title: string;
  readonly change: Change;
  /** Of a changed one. */
  readonly parts: readonly PartChange[];
}

export interface EdgeChange {
  readonly edge: FlowEdge;
  readonly change: 'added' | 'removed';
  /** Both ends in words. */
  readonly title: string;
}

/** The differences between two versions of a flow. */
export interface FlowDiff {
  readonly items: readonly ItemChange[];
  readonly edges: readonly EdgeChange[];
  /** Name and description of the flow. */
  readonly details: readonly PartChange[];
  /** How many items differ in nothing but their place. */
  readonly moved: number;
}

interface Components {
  get(type: string): { readonly descriptor: Descriptor } | undefined;
}

/** Compares two versions. Pure. */
export function diffFlows(before: FlowDocument, after: FlowDocument, components: Components): FlowDiff {
  const items: ItemChange[] = [];
  let moved = 0;
  const compare = <T extends FlowNode | FlowNote>(
    olds: readonly T[],
    news: readonly T[],
    titleOf: (item: T) => string,
    partsOf: (old: T, next: T) => readonly PartChange[],
  ) => {
    const known = new Map(olds.map((each) => [each.id, each]));
    const kept = new Set(news.map(({ id }) => id));
    for (const next of news) {
      const old = known.get(next.id);
      const { id } = next;
      if (old === undefined) items.push({ id, title: titleOf(next), change: 'added', parts: [] });
      else if (old !== next) {
        const parts = partsOf(old, next);
        if (parts.length > 0) items.push({ id, title: titleOf(next), change: 'changed', parts });
        else if (old.position.x !== next.position.x || old.position.y !== next.position.y) moved += 1;
      }
    }
    for (const old of olds)
      if (!kept.has(old.id)) items.push({ id: old.id, title: titleOf(old), change: 'removed', parts: [] });
  };
  const titleOf = (node: FlowNode) => nodeTitle(node, components);
  compare(before.nodes, after.nodes, titleOf, (old, next) => nodeParts(old, next, components));
  compare(before.notes, after.notes, noteTitle, (old, next) => [
    ...partOf('Text', old.text, next.text),
    ...partOf('Size', sizeText(old), sizeText(next)),
    ...partOf('Colour', old.color ?? '', next.color ?? ''),
  ]);
  return { items, edges: edgeChanges(before, after, titleOf), details: detailParts(before, after), moved };
}

/** Both versions in one document for the drawing: the later one, and what it does not have any more. */
export function unionOf(before: FlowDocument, after: FlowDocument): FlowDocument {
  const ids = new Set([...after.nodes, ...after.notes].map(({ id }) => id));
  const keys = new Set(after.edges.map(edgeKey));
  return {
    ...after,
    nodes: [...after.nodes, ...before.nodes.filter(({ id }) => !ids.has(id))],
    notes: [...after.notes, ...before.notes.filter(({ id }) => !ids.has(id))],
    edges: [...after.edges, ...before.edges.filter((edge) => !keys.has(edgeKey(edge)))],
    groups: [],
  };
}

function nodeParts(old: FlowNode, next: FlowNode, components: Components): readonly PartChange[] {
  const fields = components.get(next.type)?.descriptor.fields ?? [];
  const names = [...new Set([...Object.keys(old.values), ...Object.keys(next.values)])];
  const order = new Map(fields.map(({ name }, at) => [name, at]));
  names.sort((one, other) => (order.get(one) ?? fields.length) - (order.get(other) ?? fields.length));
  const values = names.flatMap((name) => {
    const field = fields.find((each) => each.name === name);
    const [was, is] = [old.values[name] ?? field?.default ?? null, next.values[name] ?? field?.default ?? null];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    const [wasText, isText] = [valueWords(field, was), valueWords(field, is)];
    const isOther = field?.kind === 'secret' && wasText !== '' && isText !== '';
    return [changeOf(field?.label ?? name, wasText, isOther ? 'Set to another' : isText)];
  });
  const option = (label: string, read: (node: FlowNode) => Json | undefined) => {
    const [was, is] = [JSON.stringify(read(old) ?? null), JSON.stringify(read(next) ?? null)];
    return was === is ? [] : partOf(label, wordsOf(read(old)), wordsOf(read(next)));
  };
  return [
    ...option('Component', ({ type }) => components.get(type)?.descriptor.label ?? type),
    ...option('Name', ({ name }) => name),
    ...values,
    ...option('Code', ({ code }) => code),
    ...option('Output', ({ selectedOutput }) => selectedOutput),
    ...option('Use as a tool', ({ toolMode = false }) => toolMode),
    ...option('Fields with a connection', ({ connectedFields }) => connectedFields?.join(', ')),
    ...option('Run options', ({ run }) => run && (JSON.parse(JSON.stringify(run)) as Json)),
    ...option('Fixed outputs', ({ pinned }) => pinned),
  ];
}

const partOf = (label: string, before: string, after: string): readonly PartChange[] =>
  before === after ? [] : [changeOf(label, before, after)];

const MAX_TEXT = 20_000;
/** Kept of what both texts have in common, before and after the change. */
const AROUND = 200;

/** A change of a text. Of long texts only the part that differs: an edit far from the start must not look like none. */
function changeOf(label: string, before: string, after: string): PartChange {
  const longest = Math.max(before.length, after.length);
  if (longest <= MAX_TEXT) return { label, before, after };
  const shortest = Math.min(before.length, after.length);
  let same = 0;
  while (same < shortest && before[same] === after[same]) same += 1;
  let sameEnd = 0;
  while (sameEnd < shortest - same && before.at(-1 - sameEnd) === after.at(-1 - sameEnd)) sameEnd += 1;
  const start = Math.max(0, same - AROUND);
  const end = Math.max(0, sameEnd - AROUND);
  const shown = (text: string) => {
    const part = text.slice(start, text.length - end);
    return `${start > 0 ? '…' : ''}${part.slice(0, MAX_TEXT)}${end > 0 || part.length > MAX_TEXT ? '…' : ''}`;
  };
  const isCut = longest - start - end > MAX_TEXT;
  return { label: isCut ? `${label} (beginning of the change)` : label, before: shown(before), after: shown(after) };
}

/** A whole value as text. Of a secret only that it is set. */
function valueWords(field: Field | undefined, value: Json): string {
  return field?.kind === 'secret' || field?.kind === 'model' ? fieldText(field, value) : wordsOf(value);
}

function wordsOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : `${value}`;
}

const noteTitle = ({ text }: FlowNote) => {
  const [line = ''] = text.trim().split('\n');
  return line === '' ? 'Empty note' : `Note “${line.slice(0, 60)}”`;
};

const sizeText = ({ size }: FlowNote) => `${Math.round(size.width)} × ${Math.round(size.height)}`;

function detailParts(before: FlowDocument, after: FlowDocument): readonly PartChange[] {
  const groups = ({ groups: all }: FlowDocument) =>
    all.map(({ name, nodes }) => `${name || 'Group'}: ${nodes.length}`).join(', ');
  return [
    ...partOf('Name of the flow', before.name, after.name),
    ...partOf('Description of the flow', before.description, after.description),
    ...partOf('Groups', groups(before), groups(after)),
  ];
}

function edgeChanges(
  before: FlowDocument,
  after: FlowDocument,
  titleOf: (node: FlowNode) => string,
): readonly EdgeChange[] {
  const titles = new Map([...before.nodes, ...after.nodes].map((node) => [node.id, titleOf(node)]));
  const title = ({ from, to }: FlowEdge) => `${titles.get(from.node) ?? ''} → ${titles.get(to.node) ?? ''}`;
  const [olds, news] = [new Set(before.edges.map(edgeKey)), new Set(after.edges.map(edgeKey))];
  const only = (edges: readonly FlowEdge[], others: ReadonlySet<string>, change: EdgeChange['change']) =>
    edges.filter((edge) => !others.has(edgeKey(edge))).map((edge) => ({ edge, change, title: title(edge) }));
  return [...only(after.edges, olds, 'added'), ...only(before.edges, news, 'removed')];
}
