import type { FlowUpdate } from '@croft/assistant/events';
import type { FlowDocument } from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';

/** One change of the canvas that a turn made, as a row of its checklist. */
export interface BuildTask {
  /** The same change again has the same key. */
  readonly key: string;
  readonly action: 'add_component' | 'remove_component' | 'connect' | 'disconnect' | 'configure';
  /** The ids of its components; of a connection, its two ends. */
  readonly nodes: readonly string[];
}

/**
 * Describes a change of the canvas. Undefined for what has a card of its own (a built flow, a proposed text, a plan) and
 * for what goes with another change.
 */
export function buildTaskOf(update: FlowUpdate): BuildTask | undefined {
  const { action } = update;
  switch (action) {
    case 'add_component':
      return { key: `${action} ${update.node.id}`, action, nodes: [update.node.id] };
    case 'remove_component':
    case 'configure':
      return { key: `${action} ${update.component_id}`, action, nodes: [update.component_id] };
    case 'connect':
    case 'disconnect': {
      const { from, to } = update.edge;
      const key = `${action} ${from.node} ${from.port} ${to.node} ${to.port}`;
      return { key, action, nodes: [from.node, to.node] };
    }
    default:
      return undefined;
  }
}

const DONE: Readonly<Record<BuildTask['action'], string>> = {
  add_component: 'Added',
  remove_component: 'Removed',
  connect: 'Connected',
  disconnect: 'Disconnected',
  configure: 'Configured',
};

/** A change in words. @param titleOf the title of a component on the canvas */
export const taskText = ({ action, nodes }: BuildTask, titleOf: (id: string) => string): string =>
  `${DONE[action]} ${nodes.map(titleOf).join(' → ')}`;

/** The titles of components by their ids. A component that is gone has that of its type, which its id begins with. */
export function titlesOf({ nodes }: Pick<FlowDocument, 'nodes'>, registry: ComponentsRegistry): (id: string) => string {
  const labelOf = (type: string) => registry.get(type)?.descriptor.label;
  return (id) => {
    const node = nodes.find((each) => each.id === id);
    if (node !== undefined) return node.name ?? labelOf(node.type) ?? node.type;
    return labelOf(id.replace(/-[^-]*$/, '')) ?? id;
  };
}

/** Adds a task, unless the list has it. */
export function withTask(tasks: readonly BuildTask[], task: BuildTask | undefined): readonly BuildTask[] {
  return task === undefined || tasks.some(({ key }) => key === task.key) ? tasks : [...tasks, task];
}
