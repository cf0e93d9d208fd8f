import { edgeKey, type FlowEdge, type FlowNode } from './document.ts';
import type { Edit } from './edits.ts';

/**
 * The parts of a flow that an edit changes, as paths of keys. Two edits touch when one path begins with the other:
 * `node X` touches every field of X, and the empty path touches everything.
 */
export function targetsOf(edit: Edit): readonly (readonly string[])[] {
  switch (edit.kind) {
    case 'add_component':
      return [['node', edit.node.id]];
    case 'remove_component':
      return [['node', edit.id]];
    case 'connect':
    case 'disconnect':
      return edgeTargets(edit.edge);
    case 'configure':
      return [...Object.keys(edit.values), ...(edit.unset ?? [])].map((name) => ['node', edit.id, 'value', name]);
    case 'set_flow':
      return [[]];
    case 'set_details':
      return [
        ...(edit.name === undefined ? [] : [['name']]),
        ...(edit.description === undefined ? [] : [['description']]),
      ];
    case 'move':
      return Object.keys(edit.positions).map((id) => ['node', id, 'position']);
    case 'set_connection_mode':
      return [['node', edit.id, 'connected field', edit.field]];
    case 'pin_output':
      return [['node', edit.id, 'pinned', edit.output]];
    case 'set_note':
      return [['item', edit.note.id]];
    case 'set_group':
      return [['item', edit.group.id], ...edit.group.nodes.map((id) => ['node', id, 'group', edit.group.id])];
    case 'remove_note':
    case 'remove_group':
      return [['item', edit.id]];
    case 'set_viewport':
      return [['viewport']];
    case 'batch':
      return edit.edits.flatMap(targetsOf);
    default:
      return [['node', edit.id, edit.kind]];
  }
}

/** An edge belongs to both of its nodes. */
function edgeTargets(edge: FlowEdge): readonly (readonly string[])[] {
  return [edge.from.node, edge.to.node].map((id) => ['node', id, 'edge', edgeKey(edge)]);
}

/** The parts that edits change, to ask about many paths at little cost. */
export interface ChangedParts {
  add(edits: readonly Edit[]): void;
  touches(path: readonly string[]): boolean;
}

interface Branch {
  readonly children: Map<string, Branch>;
  isEnd: boolean;
}

/** Collects the targets of edits. */
export function changedParts(): ChangedParts {
  const root: Branch = { children: new Map(), isEnd: false };
  const addPath = (path: readonly string[]) => {
    let branch = root;
    for (const key of path) {
      const next = branch.children.get(key) ?? { children: new Map(), isEnd: false };
      branch.children.set(key, next);
      branch = next;
    }
    branch.isEnd = true;
  };
  return {
    add(edits) {
      for (const edit of edits) for (const path of targetsOf(edit)) addPath(path);
    },
    touches(path) {
      let branch = root;
      for (const key of path) {
        if (branch.isEnd) return true;
        const next = branch.children.get(key);
        if (next === undefined) return false;
        branch = next;
      }
      return branch.isEnd || branch.children.size > 0;
    },
  };
}

/**
 * The part of an inverse that changes nothing of `others`; undefined where no part is left. Fields of nodes and positions
 * are taken one by one, other edits as a whole.
 */
export function withoutParts(inverse: Edit, others: ChangedParts): Edit | undefined {
  switch (inverse.kind) {
    case 'batch': {
      const edits = inverse.edits.flatMap((each) => withoutParts(each, others) ?? []);
      return edits.length === 0 ? undefined : { ...inverse, edits };
    }
    case 'configure': {
      const isFree = (name: string) => !others.touches(['node', inverse.id, 'value', name]);
      const values = Object.fromEntries(Object.entries(inverse.values).filter(([name]) => isFree(name)));
      const unset = (inverse.unset ?? []).filter(isFree);
      if (Object.keys(values).length + unset.length === 0) return undefined;
      return { kind: 'configure', id: inverse.id, values, ...(unset.length > 0 && { unset }) };
    }
    case 'move': {
      const free = Object.entries(inverse.positions).filter(([id]) => !others.touches(['node', id, 'position']));
      return free.length === 0 ? undefined : { kind: 'move', positions: Object.fromEntries(free) };
    }
    case 'set_details': {
      const name = others.touches(['name']) ? undefined : inverse.name;
      const description = others.touches(['description']) ? undefined : inverse.description;
      if (name === undefined && description === undefined) return undefined;
      return {
        kind: 'set_details',
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
      };
    }
    default:
      return targetsOf(inverse).some((path) => others.touches(path)) ? undefined : inverse;
  }
}

/** Removed nodes come back with the edges whose other node exists, or comes back too. */
export function withoutLooseEdges(edits: readonly Edit[], nodes: readonly FlowNode[]): readonly Edit[] {
  const ids = new Set(nodes.map(({ id }) => id));
  for (const edit of edits) if (edit.kind === 'add_component') ids.add(edit.node.id);
  const isTied = ({ from, to }: FlowEdge) => ids.has(from.node) && ids.has(to.node);
  return edits.map((edit) =>
    edit.kind === 'add_component' && edit.edges !== undefined
      ? { ...edit, edges: edit.edges.filter(({ edge }) => isTied(edge)) }
      : edit,
  );
}

/** A part of a flow that two clients changed, as a path of `targetsOf`. */
export type Clash = readonly string[];

/**
 * The parts of `mine` that `theirs` changed too. Leaves out positions, where the last one counts, and edits that both have.
 */
export function clashesOf(mine: readonly Edit[], theirs: readonly Edit[]): readonly Clash[] {
  const others = changedParts();
  others.add(theirs.flatMap(singleEdits).filter(isContent));
  const clashes = new Map<string, Clash>();
  for (const edit of withoutEqual(mine, theirs).filter(isContent))
    for (const path of targetsOf(edit)) if (others.touches(path)) clashes.set(JSON.stringify(path), path);
  return [...clashes.values()];
}

const isContent = ({ kind }: Edit): boolean => kind !== 'move' && kind !== 'set_viewport';

/** The edits of `mine` that are not also in `theirs`, without batches. */
export function withoutEqual(mine: readonly Edit[], theirs: readonly Edit[]): readonly Edit[] {
  const known = new Set(theirs.flatMap(singleEdits).map((edit) => JSON.stringify(edit)));
  return mine.flatMap(singleEdits).filter((edit) => !known.has(JSON.stringify(edit)));
}

/** The edits of a batch, without batches inside of it. */
export const singleEdits = (edit: Edit): readonly Edit[] =>
  edit.kind === 'batch' ? edit.edits.flatMap(singleEdits) : [edit];
