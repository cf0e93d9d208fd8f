import {
  buildFromSpecInParts,
  type Finding,
  type FlowDocument,
  importLangflow,
  isLangflowExport,
  isSpecText,
  inTurns,
  parseFlowInParts,
  type Registry,
} from '@croft/flow';
import type { FlowComponents } from '../components/flow-components.ts';
import { Problem } from '../problem.ts';

/** An imported flow, and what could not be taken over. */
export interface ImportedFlow {
  readonly document: FlowDocument;
  readonly findings: readonly Finding[];
}

/**
 * Reads a flow with the components of a user, and puts the code of the user's components into its nodes. Runs nothing.
 *
 * @throws FlowError, Problem `invalid` with the place
 */
export async function importFlow(
  { builtins, forText, fillFlow }: Pick<FlowComponents, 'builtins' | 'forText' | 'fillFlow'>,
  userId: string,
  source: unknown,
): Promise<ImportedFlow> {
  const given = typeof source === 'string' && !isSpecText(source) ? parsed(source) : source;
  if (typeof given !== 'string') {
    const { document, findings } = await readImport(given, builtins);
    return { document: await fillFlow(userId, document), findings };
  }
  const { registry, findings } = await forText(userId, given);
  if (findings.length > 0)
    throw new Problem(400, 'invalid', findings.map(({ message, fix }) => `${message} ${fix}`).join(' '));
  const { document } = await readImport(given, registry);
  return { document: await fillFlow(userId, document), findings };
}

/** @throws Problem `invalid` with the place */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = (error as Error).message.replace(/\s+/g, ' ').slice(0, 200);
    throw new Problem(
      400,
      'invalid',
      `This begins as JSON but is not: ${why}. Check that the file is complete, or export the flow again.`,
    );
  }
}

/**
 * Reads a flow: a Croft document, an export of Langflow, or the text form. Runs nothing.
 *
 * @throws FlowError, Problem `invalid` with the place
 */
export async function readImport(source: unknown, registry: Registry): Promise<ImportedFlow> {
  if (typeof source === 'string') {
    const built = await inTurns(buildFromSpecInParts(source, registry));
    if ('error' in built) throw new Problem(400, 'invalid', `${built.error}. ${built.details}`);
    return { document: built.flow, findings: [] };
  }
  if (!isLangflowExport(source)) return { document: await inTurns(parseFlowInParts(source)), findings: [] };
  const { flow, findings } = importLangflow(source, registry);
  return { document: await inTurns(parseFlowInParts(flow)), findings };
}
