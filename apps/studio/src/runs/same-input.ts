import { describeFlowIo, type Descriptor, type FlowDocument, type Json, portsOf, type Registry } from '@croft/flow';
import type { TimelineEntry } from '../api/runs.ts';
import { FORM_KINDS } from '../canvas/run-fields.ts';
import { isWhole } from '../inspector/run-options.ts';

/** The inputs of a run; undefined where the history does not have them as they were. */
export type SameInput = Readonly<Record<string, Readonly<Record<string, Json>>>> | undefined;

/** Kinds of fields that a run may set. */
const SETTABLE: ReadonlySet<string> = new Set([...FORM_KINDS, 'json', 'key-value']);
/** A run again is not a part of the conversation. */
const LEFT_OUT: ReadonlySet<string> = new Set(['session_id', 'command', 'args', 'argv', 'env']);

/** The inputs with which a run can be repeated, from its timeline. */
export function sameInput(
  flow: FlowDocument,
  registry: Registry<{ readonly descriptor: Descriptor }>,
  timeline: readonly TimelineEntry[],
): SameInput {
  const inputs: Record<string, Record<string, Json>> = {};
  for (const { id, type } of describeFlowIo(flow, registry).inputs) {
    const entry = registry.get(type);
    const node = flow.nodes.find((each) => each.id === id);
    const ran = timeline.find((each) => each.node === id && each.path === '');
    if (!entry || !node || ran?.startedMs === undefined) continue;
    if (ran.inputs === undefined) return undefined;
    const values = ran.inputs as Readonly<Record<string, Json>>;
    for (const { name, kind } of portsOf(node, entry).fields) {
      const value = values[name];
      if (value === undefined || value === null || !SETTABLE.has(kind) || LEFT_OUT.has(name)) continue;
      if (!isWhole(value)) return undefined;
      (inputs[id] ??= {})[name] = value;
    }
  }
  return inputs;
}

/** Names of components that a run left out, such as those after the one that it ran up to. Not those that a failure kept from running. */
export function leftOut(
  timeline: readonly TimelineEntry[],
  flow: FlowDocument,
  registry: Registry<{ readonly descriptor: Descriptor }>,
): readonly string[] {
  const known = new Set(timeline.map(({ node }) => node));
  const stopped = timeline.filter(({ status }) => status !== 'finished').map(({ node }) => node);
  for (const id of stopped)
    for (const { from, to } of flow.edges)
      if (from.node === id && !known.has(to.node)) {
        known.add(to.node);
        stopped.push(to.node);
      }
  return flow.nodes.flatMap(({ id, name, type, toolMode }) => {
    const label = registry.get(type)?.descriptor.label;
    return label === undefined || toolMode === true || known.has(id) ? [] : [name ?? label];
  });
}
