import {
  drawFlow,
  type Finding,
  type FlowDocument,
  inTurns,
  redactFlow,
  type RemovedSecret,
  validateFlowInParts,
} from '@croft/flow';
import type { FlowComponents } from '../components/flow-components.ts';
import type { Variables } from '../variables/variables.ts';
import { FLOW_LIMITS } from './flow-limits.ts';

/** A flow without its secrets, to hand out. */
export async function exportedFlow(
  parts: { readonly flowComponents: Pick<FlowComponents, 'builtins'>; readonly variables: Pick<Variables, 'list'> },
  userId: string,
  document: FlowDocument,
): Promise<{ readonly flow: FlowDocument; readonly removed: readonly RemovedSecret[] }> {
  const names = new Set((await parts.variables.list(userId)).map(({ name }) => name));
  return redactFlow(document, { registry: parts.flowComponents.builtins, variables: names });
}

/** The findings of a check of a flow and of its code. Runs nothing. */
export async function findingsOf(
  { forFlow }: Pick<FlowComponents, 'forFlow'>,
  userId: string,
  document: FlowDocument,
): Promise<readonly Finding[]> {
  const { registry, findings } = await forFlow(userId, document);
  return [...findings, ...(await inTurns(validateFlowInParts(document, registry)))];
}

/** A flow drawn with characters; null where it is too large. */
export const drawingOf = (document: FlowDocument): string | null =>
  document.nodes.length > FLOW_LIMITS.drawnNodes ? null : drawFlow(document);
