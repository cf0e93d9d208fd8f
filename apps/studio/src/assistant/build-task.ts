import type { FlowUpdate } from '@croft/assistant/events';

/** One change of the canvas that a turn made, as a row of its checklist. */
export interface BuildTask {
  /** The same change again has the same key. */
  readonly key: string;
  readonly action: 'add_component' | 'remove_component' | 'connect' | 'disconnect' | 'configure';
  readonly text: string;
}

/**
 * Describes a change of the canvas. Undefined for what has a card of its own (a built flow, a proposed text, a plan) and
 * for what goes with another change.
 */
export function buildTaskOf(update: FlowUpdate): BuildTask | undefined {
  const { action } = update;
  switch (action) {
    case 'add_component':
      return { key: `${action} ${update.node.id}`, action, text: `Added ${update.node.type}` };
    case 'remove_component':
      return { key: `${action} ${update.component_id}`, action, text: `Removed ${update.component_id}` };
    case 'connect':
    case 'disconnect': {
      const { from, to } = update.edge;
      const verb = action === 'connect' ? 'Wired' : 'Unwired';
      const key = `${action} ${from.node} ${from.port} ${to.node} ${to.port}`;
      return { key, action, text: `${verb} ${from.node} → ${to.node}` };
    }
    case 'configure':
      return { key: `${action} ${update.component_id}`, action, text: `Configured ${update.component_id}` };
    default:
      return undefined;
  }
}

/** Adds a task, unless the list has it. */
export function withTask(tasks: readonly BuildTask[], task: BuildTask | undefined): readonly BuildTask[] {
  return task === undefined || tasks.some(({ key }) => key === task.key) ? tasks : [...tasks, task];
}
