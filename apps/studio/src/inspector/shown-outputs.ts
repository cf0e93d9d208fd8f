import type { Json } from '@croft/flow';
import type { NodeRun } from '../canvas/run-state.ts';

/** The values that a component gave, under the labels of its outputs. Outputs without a value are left out. */
export function shownOutputs(
  run: Pick<NodeRun, 'status' | 'outputs'> | undefined,
  outputs: readonly { readonly name: string; readonly label: string }[],
): readonly { readonly name: string; readonly label: string; readonly value: Json }[] {
  if (run?.status !== 'done') return [];
  return Object.entries((run.outputs ?? {}) as Readonly<Record<string, Json>>).flatMap(([name, value]) =>
    value === null ? [] : [{ name, label: outputs.find((each) => each.name === name)?.label ?? name, value }],
  );
}
