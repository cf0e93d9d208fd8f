import type { Registry } from '@croft/flow';
import {
  buildFromSpec,
  type Finding,
  type FlowDocument,
  importLangflow,
  isLangflowExport,
  parseFlow,
} from '@croft/flow';
import { Problem } from '../problem.ts';

/** An imported flow, and what could not be taken over. */
export interface ImportedFlow {
  readonly document: FlowDocument;
  readonly findings: readonly Finding[];
}

/**
 * Reads a flow: a Croft document, an export of Langflow, or the text form. Runs nothing.
 *
 * @throws FlowError, Problem `invalid` with the place
 */
export function readImport(source: unknown, registry: Registry): ImportedFlow {
  if (typeof source === 'string') {
    const built = buildFromSpec(source, registry);
    if ('error' in built) throw new Problem(400, 'invalid', `${built.error}. ${built.details}`);
    return { document: built.flow, findings: [] };
  }
  if (!isLangflowExport(source)) return { document: parseFlow(source), findings: [] };
  const { flow, findings } = importLangflow(source, registry);
  return { document: parseFlow(flow), findings };
}
