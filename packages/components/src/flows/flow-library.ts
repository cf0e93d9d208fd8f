import type { SubFlowSlots } from './sub-flow-slots.ts';
import type { ComponentRegistry, FlowDocument } from '@croft/flow';
import { ComponentError } from '../component-error.ts';

/** A flow that another flow can run. */
export interface FoundFlow<Services> {
  /** Different for each flow of the library. */
  readonly id: string;
  readonly flow: FlowDocument;
  readonly registry: ComponentRegistry<Services>;
}

/** The flows that a run may run as sub-flows. */
export interface FlowLibrary<Services> {
  /**
   * The flow of this name or id; undefined where there is none.
   *
   * @throws ComponentError where the flow cannot be read
   */
  find(name: string): Promise<FoundFlow<Services> | undefined>;
  /** Some of the names, for messages. */
  names(): Promise<readonly string[]>;
  /** The sub-flows under way, the outermost first. */
  readonly underWay: readonly FlowName[];
  /** Of the run, for sub-flows at all levels. */
  readonly slots: SubFlowSlots;
}

/** A flow in a chain of flows. */
export interface FlowName {
  readonly id: string;
  readonly name: string;
}

/** Sub-flows inside of each other. */
const MAX_DEPTH = 8;
/** Flows that one check reads. */
const MAX_FLOWS = 100;

/** The field of a sub-flow that names the flow. It takes no edge, so that circles are found before anything runs. */
export const FLOW_FIELD = 'flow_name_selected';

/**
 * Checks that neither this flow nor a flow that it runs is under way already, at any depth.
 *
 * @param type of the component that runs flows
 * @throws ComponentError with the chain of names
 */
export async function refuseCircles<Services>(
  library: FlowLibrary<Services>,
  found: FoundFlow<Services>,
  type: string,
): Promise<void> {
  const checked = new Set<string>();
  const visit = async (each: FoundFlow<Services>, chain: readonly FlowName[]): Promise<void> => {
    const own = [...chain, { id: each.id, name: each.flow.name }];
    const at = chain.findIndex(({ id }) => id === each.id);
    if (at >= 0)
      throw new ComponentError(
        `The flows run each other in a circle: ${shown(own.slice(at))}.`,
        'Remove one of these sub-flows.',
      );
    if (own.length > MAX_DEPTH)
      throw new ComponentError(
        `More than ${MAX_DEPTH} flows are inside of each other: ${shown(own)}.`,
        'Put some of them into one flow.',
      );
    if (checked.has(each.id)) return;
    checked.add(each.id);
    if (checked.size > MAX_FLOWS)
      throw new ComponentError(`The flow runs more than ${MAX_FLOWS} other flows.`, 'Use fewer sub-flows.');
    for (const node of each.flow.nodes) {
      const name = node.values[FLOW_FIELD];
      if (each.registry.get(node.type)?.descriptor.type !== type || typeof name !== 'string') continue;
      const next = await library.find(name);
      if (next !== undefined) await visit(next, own);
    }
  };
  await visit(found, library.underWay);
}

const shown = (chain: readonly FlowName[]): string => chain.map(({ name }) => `'${name}'`).join(' → ');
