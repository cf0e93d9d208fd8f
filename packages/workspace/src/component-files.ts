import { createHash } from 'node:crypto';
import { WorkspaceError } from './errors.ts';
import { checkNames, foldName } from './names.ts';
import { readdirSync } from 'node:fs';
import type { Enclosure } from './enclosure.ts';
import { deletePath } from './operations/delete-path.ts';
import { listDir, type ListedEntry } from './operations/list-dir.ts';
import { readBytes } from './operations/read-whole.ts';
import { removeTemp } from './remove-tree.ts';
import { isAbandoned } from './temp-name.ts';

/** Characters of a class name. */
export const MAX_COMPONENT_NAME = 64;

/** Bytes of a source. */
export const MAX_COMPONENT_BYTES = 1024 * 1024;
/** Components that a workspace may hold. */
const MAX_COMPONENTS = 1_000;
const MAX_FILES = 2 * MAX_COMPONENTS;
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
  /** By name; one for each class: the newest. */
  readonly components: readonly StoredComponent[];
  readonly skipped: readonly SkippedComponent[];
}

/** A file of a component. */
export interface ComponentFile {
  readonly name: string;
  readonly origin: ComponentOrigin;
  readonly modifiedMs: number;
}

/** The files of a class, newest first: a saved one, and a generated one for each conversation that wrote it. */
export const filesOfClass = (store: Enclosure, className: string): readonly ComponentFile[] =>
  filesByClass(componentEntries(store).found).get(className) ?? [];

/** Classes by name, the files of each newest first. Of two with the same time the generated one comes first. */
function filesByClass(found: readonly ListedEntry[]): Map<string, ComponentFile[]> {
  const classes = new Map<string, ComponentFile[]>();
  // `Sum.generated….ts` comes before `Sum.ts`.
  for (const { name, modified } of found) {
    const [, className = '', generated] = COMPONENT_FILE.exec(name) as RegExpExecArray;
    const origin = generated === undefined ? 'saved' : 'generated';
    const file: ComponentFile = { name, origin, modifiedMs: modified === undefined ? 0 : Date.parse(modified) };
    classes.set(className, [...(classes.get(className) ?? []), file]);
  }
  for (const files of classes.values()) files.sort((a, b) => b.modifiedMs - a.modifiedMs);
  return classes;
}

/** The source that an assistant generated in a conversation; where it generated none of this class, the only source of the class. */
export async function readGenerated(
  store: Enclosure,
  className: string,
  conversation: string,
): Promise<StoredComponent | undefined> {
  const files = filesOfClass(store, className);
  const generated = files.filter(({ origin }) => origin === 'generated');
  const own = componentFile(className, 'generated', conversation);
  const file = generated.find(({ name }) => name === own) ?? (files.length === 1 ? generated[0] : undefined);
  if (file === undefined) return undefined;
  const code = await readSource(store, file.name);
  return { className, code, origin: 'generated', ...(generated.length < files.length && { coversSaved: true }) };
}

/** @throws WorkspaceError, TypeError for bytes that are not UTF-8 */
async function readSource(store: Enclosure, file: string): Promise<string> {
  const { bytes } = await readBytes(store, file);
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Some file systems take `Sum` and `SUM` for one name. */
export function requireFreeName(store: Enclosure, className: string, file: string): void {
  const files = componentEntries(store).found;
  const names = files.map(({ name }) => COMPONENT_FILE.exec(name)?.[1] as string);
  const other = names.find((name) => name !== className && foldName(name) === foldName(className));
  if (other !== undefined)
    throw new WorkspaceError('exists', `The component ${other} has the same name but for its case`);
  const isFull = names.length >= MAX_COMPONENTS && !names.includes(className);
  // Each conversation may generate the same class.
  if (isFull || (names.length >= MAX_FILES && !files.some(({ name }) => name === file)))
    throw new WorkspaceError('quota', `The workspace has ${names.length} components, and may have no more`);
}

/** The files of components, and the other entries. */
export function componentEntries(store: Enclosure) {
  const { entries } = listDir(store, '.', { details: true });
  const isSource = ({ name, type }: ListedEntry) => type === 'file' && COMPONENT_FILE.test(name);
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
  const components: StoredComponent[] = [];
  for (const [className, files] of filesByClass(found.slice(0, MAX_FILES)))
    for (const { name, origin } of files) {
      try {
        checkClassName(className);
        const code = await readSource(store, name);
        const coversSaved = origin === 'generated' && files.some((each) => each.origin === 'saved');
        components.push({ className, code, origin, ...(coversSaved && { coversSaved }) });
        break;
      } catch (error) {
        const reason = error instanceof WorkspaceError ? error.message : 'The file is not UTF-8 text';
        skipped.push({ file: name, reason: `${reason}.` });
      }
    }
  return { components, skipped };
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
