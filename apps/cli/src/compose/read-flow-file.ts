import { TEMPLATES } from '@croft/components';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import {
  buildFromSpec,
  type Finding,
  FlowError,
  type FlowDocument,
  importLangflow,
  isLangflowExport,
  isSpecText,
  LIMITS,
  parseFlow,
  parseSpec,
  type Registry,
} from '@croft/flow';
import { osReason } from '@croft/workspace';
import { didYouMean } from '../render/did-you-mean.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Reads a flow from a file that the user named: a JSON document, the text form, or an export of Langflow.
 *
 * @param onFinding called for each part of an export that could not be taken over
 * @throws UsageError that says what is wrong with the file
 */
export function readFlowFile(file: string, registry: Registry, onFinding?: (finding: Finding) => void): FlowDocument {
  return flowFromText(file, readFlowText(file), registry, onFinding);
}

/** {@link readFlowFile} for a text that was read before; `file` is its name in messages. */
export function flowFromText(
  file: string,
  text: string,
  registry: Registry,
  onFinding: (finding: Finding) => void = () => {},
): FlowDocument {
  if (isSpecText(text)) {
    // The ids of the text stay, because --input, --until and messages name a component by the id that the user wrote.
    const built = buildFromSpec(text, registry, (_type, id) => id);
    if ('error' in built)
      throw new UsageError(`${file}: ${built.error}${hintFor(text, registry) || '.'} ${built.details}`);
    return built.flow;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (!isLangflowExport(value)) return parseFlow(value);
    const { flow, findings } = importLangflow(value, registry);
    for (const finding of findings) onFinding(finding);
    return flow;
  } catch (error) {
    if (error instanceof FlowError) throw new UsageError(`${file}: ${error.message}`);
    throw new UsageError(`${file}: the JSON is broken: ${(error as Error).message}`);
  }
}

/** The nearest type of the first component whose type is unknown. */
function hintFor(text: string, registry: Registry): string {
  try {
    const unknown = parseSpec(text).nodes.find(({ type }) => registry.get(type) === undefined);
    const names = registry.entries.flatMap(({ descriptor: { type, aliases = [] } }) => [type, ...aliases]);
    return unknown === undefined ? '' : didYouMean(unknown.type, names);
  } catch (error) {
    if (error instanceof FlowError) return '';
    throw error;
  }
}

/** @throws UsageError where the file is missing, unreadable or too large */
export function readFlowText(file: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new UsageError(`${file}: cannot be read: ${osReason(error)}`);
    const isTemplate = TEMPLATES.some(({ name }) => name === file);
    throw new UsageError(
      `${file}: there is no such file${isTemplate ? `; create it from the template: croft flow new ${file} --out ${file}.flow` : ''}`,
    );
  }
  try {
    const { size } = fstatSync(descriptor);
    if (size > LIMITS.documentBytes)
      throw new UsageError(`${file}: ${size} bytes; Croft opens flows of up to ${LIMITS.documentBytes} bytes`);
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file}: cannot be read: ${osReason(error)}`);
  } finally {
    closeSync(descriptor);
  }
}
