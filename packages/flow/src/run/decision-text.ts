import type { Outputs } from '../component.ts';
import { textBeginning } from '../variables.ts';
import type { PlanNode } from './plan-node.ts';

const MAX_CHARS = 16 * 1024;

/**
 * The decision at a node that waits for a person, such as `Rejected: too expensive`: the label of the branch, then the texts of
 * the outputs that are not branches. Undefined where the flow continues at the branch: its output shows the decision.
 */
export function decisionText({ setup, outgoing }: PlanNode<never>, given: Outputs): string | undefined {
  if (!setup.component.descriptor.effects.includes('wait')) return undefined;
  const present = setup.outputs.filter(({ name }) => Object.hasOwn(given, name));
  const branch = present.find((each) => each.branch === true);
  if (branch === undefined || outgoing.some(({ fromPort }) => fromPort === branch.name)) return undefined;
  const comment = present
    .filter((each) => each.branch !== true)
    .map(({ name }) => textBeginning(given[name], MAX_CHARS).slice(0, MAX_CHARS))
    .join('\n');
  return comment.trim() === '' ? branch.label : `${branch.label}: ${comment}`;
}
