import { createHash } from 'node:crypto';
import { WorkspaceError } from './errors.ts';
import { checkNames, foldName } from './names.ts';
import { readdirSync } from 'node:fs';
import type { Enclosure } from './enclosure.ts';
import { deletePath } from './operations/delete-path.ts';
import { listDir } from './operations/list-dir.ts';
import { readBytes } from './operations/read-whole.ts';
import { removeTemp } from './remove-tree.ts';
import { isAbandoned } from './temp-name.ts';

/** Characters of a class name. */
export const MAX_COMPONENT_NAME = 64;

/** Bytes of a source. */
export const MAX_COMPONENT_BYTES = 1024 * 1024;
/** Components that a workspace may hold. */
const MAX_COMPONENTS = 1_000;
const CLASS_NAME = /^[A-Z][A-Za-z0-9_]*$/;

/** The digits name the conversation that a generated one is of. */
export const COMPONENT_FILE = /^([A-Z][A-Za-z0-9_]*)(\.generated(?:-([0-9a-f]{16}))?)?\.ts$/;

/** `generated`: written by an assistant, and not saved by a person. */
export type ComponentOrigin = 'saved' | 'generated';

/** The name of the file of a component. */
export function componentFile(className: string, origin: ComponentOrigin, conversation?: string): string {
  if (origin === 'saved') return `${className}.ts`;
  return `${className}.generated${conversation === undefined ? '' : `-${conversationTag(conversation)}`}.ts`;
}

/** Names of conversations are any text, and those of files are not. */
export const conversationTag = (conversation: string): string =>
  createHash('sha256').update(conversation).digest('hex').slice(0, 16);

/** @throws WorkspaceError `invalid` */
export function checkClassName(className: string): void {
  if (className.length > MAX_COMPONENT_NAME)
    throw new WorkspaceError(
      'invalid',
      `class_name length ${className.length} exceeds max ${MAX_COMPONENT_NAME} (Windows MAX_PATH safeguard)`,
    );
  if (!CLASS_NAME.test(className))
    throw new WorkspaceError(
      'invalid',
      'A component is named after its class: letters, digits and underscores, and a capital letter first',
    );
  checkNames(`${className}.ts`);
}

/** @throws WorkspaceError `invalid` for a name or a source that cannot be stored */
export function checkSource(className: string, code: string): void {
  checkClassName(className);
  const bytes = Buffer.byteLength(code);
  if (code.trim() === '') throw new WorkspaceError('invalid', 'The code is empty');
  if (bytes > MAX_COMPONENT_BYTES)
    throw new WorkspaceError('invalid', `code size ${bytes} bytes exceeds limit of ${MAX_COMPONENT_BYTES} bytes`);
}

/** A user's component as it is stored. */
export interface StoredComponent {
  readonly className: string;
  readonly code: string;
  readonly origin: ComponentOrigin;
  /** A generated one that covers one of a person: saving it would replace that code. */
  readonly coversSaved?: true;
}

/** A file that is not a component, and why. */
export interface SkippedComponent {
  readonly file: string;
  readonly reason: string;
}

/** The content of the directory of components. */
export interface StoredComponents {
  /** By name; one for each class: a generated one covers a saved one. */
  readonly components: readonly StoredComponent[];
  readonly skipped: readonly SkippedComponent[];
}

/** The generated files of a class: one, or two where a process was killed between them. */
export function generatedFiles(store: Enclosure, className: string): string[] {
  return componentEntries(store).found.flatMap(({ name }) => {
    const [, own, generated] = COMPONENT_FILE.exec(name) as RegExpExecArray;
    return own === className && generated !== undefined ? [name] : [];
  });
}

/** Some file systems take `Sum` and `SUM` for one name. */
export function requireFreeName(store: Enclosure, className: string): void {
  const names = componentEntries(store).found.map(({ name }) => COMPONENT_FILE.exec(name)?.[1] as string);
  const other = names.find((name) => name !== className && foldName(name) === foldName(className));
  if (other !== undefined)
    throw new WorkspaceError('exists', `The component ${other} has the same name but for its case`);
  if (names.length >= MAX_COMPONENTS && !names.includes(className))
    throw new WorkspaceError('quota', `The workspace has ${names.length} components, and may have no more`);
}

/** The files of components, and the other entries. */
export function componentEntries(store: Enclosure) {
  const { entries } = listDir(store, '.', { sizes: true });
  const isSource = ({ name, type }: (typeof entries)[number]) => type === 'file' && COMPONENT_FILE.test(name);
  return { found: entries.filter(isSource), others: entries.filter((entry) => !isSource(entry)) };
}

/** Reads all components, and removes what a killed process left. */
export async function readComponents(store: Enclosure): Promise<StoredComponents> {
  sweep(store);
  const { found, others } = componentEntries(store);
  const skipped: SkippedComponent[] = others.map(({ name }) => ({
    file: name,
    reason: 'It is not a TypeScript file named after a class.',
  }));
  const components = new Map<string, StoredComponent>();
  // `Sum.generated….ts` comes before `Sum.ts`.
  for (const { name } of found.slice(0, 2 * MAX_COMPONENTS)) {
    const [, className = '', generated] = COMPONENT_FILE.exec(name) as RegExpExecArray;
    const covering = components.get(className);
    if (covering !== undefined) {
      if (generated === undefined) components.set(className, { ...covering, coversSaved: true });
      continue;
    }
    try {
      checkClassName(className);
      const { bytes } = await readBytes(store, name);
      const code = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      components.set(className, { className, code, origin: generated === undefined ? 'saved' : 'generated' });
    } catch (error) {
      const reason = error instanceof WorkspaceError ? error.message : 'The file is not UTF-8 text';
      skipped.push({ file: name, reason: `${reason}.` });
    }
  }
  return { components: [...components.values()], skipped };
}

/** Whether there was such a file. */
export async function removeFile(store: Enclosure, file: string): Promise<boolean> {
  try {
    await deletePath(store, file);
    return true;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'not_found') return false;
    throw error;
  }
}

/** Removes what a killed process left. */
function sweep({ root, readOnly }: Enclosure): void {
  if (readOnly) return;
  for (const name of readdirSync(root.dir.self))
    if (isAbandoned(name, root.dir.at(name))) removeTemp(root.dir.at(name));
}
