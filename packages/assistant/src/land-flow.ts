import { type Edit, type FlowContent, type FlowDocument, mergeEdit, type Registry } from '@croft/flow';

/** How a built flow comes onto the canvas. */
export type LandMode = 'add' | 'replace';

/** Why a built flow cannot be added beside the canvas; undefined where it can. */
export function whyNoAdd(canvas: FlowContent, built: FlowContent, registry: Registry): string | undefined {
  const hasEntry = ({ nodes }: FlowContent) =>
    nodes.some(({ type }) => registry.get(type)?.descriptor.boundary === 'input');
  if (!hasEntry(canvas) || !hasEntry(built)) return undefined;
  return 'The canvas and the built flow both have an input. A flow has one place where a message comes in.';
}

/**
 * The edit that brings a built flow onto the canvas. `add` puts it to the right and changes nothing else; ids stay as
 * they are where the canvas has none of them. `replace` keeps the name that the user gave.
 */
export function landEdit(canvas: FlowDocument, built: FlowContent, mode: LandMode): Edit {
  if (mode === 'replace' || canvas.nodes.length === 0) return { kind: 'set_flow', flow: named(canvas, built) };
  const own = [...built.nodes, ...built.notes, ...built.groups].map(({ id }) => id);
  const taken = new Set([...canvas.nodes, ...canvas.notes, ...canvas.groups].map(({ id }) => id));
  if (own.some((id) => taken.has(id))) return mergeEdit(canvas, built).edit;
  let at = 0;
  return mergeEdit(canvas, built, () => own[at++] as string).edit;
}

/** A built flow as content, under the canvas's own name unless that is a default. */
function named(
  canvas: FlowDocument,
  { name, description, nodes, edges, notes, groups, viewport }: FlowContent,
): FlowContent {
  const isDefault = canvas.name.trim() === '' || /^untitled\b/i.test(canvas.name);
  return {
    name: isDefault ? name : canvas.name,
    description: canvas.description === '' ? description : canvas.description,
    nodes,
    edges,
    notes,
    groups,
    viewport,
  };
}
