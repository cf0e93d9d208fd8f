import {
  builtinRegistry,
  type CroftComponent,
  withFlowCode,
  withSpecCode,
  withStoredComponents,
} from '@croft/components';
import { type Finding, type FlowDocument, isSpecText, type Registry } from '@croft/flow';
import { openComponentStore, WorkspaceError } from '@croft/workspace';
import { palette } from '../render/colours.ts';
import { printable } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { flowFromText, readFlowText } from './read-flow-file.ts';

/** A flow, the components for it, and what is wrong with its code. */
export interface FlowWithCode {
  readonly flow: FlowDocument;
  readonly registry: Registry<CroftComponent>;
  readonly findings: readonly Finding[];
}

/**
 * Reads a flow with the user's components of a directory and the code inside of the flow. Runs nothing of either.
 *
 * @throws UsageError that says what is wrong with the file
 */
export async function readFlowWithCode(
  file: string,
  dir: string,
  onFinding?: (finding: Finding) => void,
): Promise<FlowWithCode> {
  return flowWithCode(file, readFlowText(file), await userRegistry(dir), onFinding);
}

/** {@link readFlowWithCode} for a text that was read before, with the components of its directory. */
export async function flowWithCode(
  file: string,
  text: string,
  base: Registry<CroftComponent>,
  onFinding?: (finding: Finding) => void,
): Promise<FlowWithCode> {
  const registry = isSpecText(text) ? await registryOfSpec(file, text, base) : base;
  const flow = flowFromText(file, text, registry, onFinding);
  return { flow, ...(await withFlowCode(base, flow)) };
}

/** The text form names ports: those of code in it have to be known before it is built. */
async function registryOfSpec(
  file: string,
  text: string,
  base: Registry<CroftComponent>,
): Promise<Registry<CroftComponent>> {
  const { registry, findings } = await withSpecCode(base, text);
  if (findings.length === 0) return registry;
  throw new UsageError(`${file}:\n${findings.map(({ message, fix }) => `  ${message} ${fix}`).join('\n')}`);
}

/**
 * The built-in components and those in `.components/` of a directory. Sources that cannot be used are reported on standard
 * error and left out.
 */
export async function userRegistry(dir: string): Promise<Registry<CroftComponent>> {
  const stored = await storedComponents(dir);
  if (stored === undefined) return builtinRegistry();
  const { registry, leftOut } = await withStoredComponents(builtinRegistry(), stored.components);
  const { dim } = palette(process.stderr);
  const skipped = stored.skipped.map(({ file, reason }) => [file, reason] as const);
  const broken = leftOut.map(({ className, reason }) => [`${className}.ts`, reason] as const);
  for (const [name, reason] of [...skipped, ...broken])
    process.stderr.write(`${dim('skipped')}  .components/${printable(name)}: ${printable(reason)}\n`);
  return registry;
}

/** The source of a component in `.components/` of a directory. */
export async function storedSource(dir: string, className: string): Promise<string | undefined> {
  return (await storedComponents(dir))?.components.find((each) => each.className === className)?.code;
}

/** Undefined where the directory cannot be opened: the run says so when it opens it. */
async function storedComponents(dir: string) {
  try {
    const store = openComponentStore(dir, { readOnly: true });
    try {
      return await store.list();
    } finally {
      store.close();
    }
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'unavailable') return undefined;
    if (error instanceof WorkspaceError) throw new UsageError(`.components: ${error.message}`);
    throw error;
  }
}
