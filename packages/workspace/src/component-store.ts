import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import type { Enclosure } from './enclosure.ts';
import { errnoOf, osReason, WorkspaceError } from './errors.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { checkNames, foldName, RESERVED_SEGMENTS } from './names.ts';
import { deletePath } from './operations/delete-path.ts';
import { listDir } from './operations/list-dir.ts';
import { readBytes } from './operations/read-file.ts';
import { writeFile } from './operations/write-file.ts';
import { createQuota } from './quota.ts';
import { removeTemp } from './remove-tree.ts';
import { type Dir, type DirKind, openDir } from './resolve/dir.ts';
import { openRoot, type Root } from './resolve/root.ts';
import { isAbandoned } from './temp-name.ts';
import type { WorkspaceOptions } from './workspace.ts';

export const MAX_COMPONENT_NAME = 64;
export const MAX_COMPONENT_BYTES = 1024 * 1024;
/** Components that a workspace may hold. */
const MAX_COMPONENTS = 1_000;
const SEGMENT: (typeof RESERVED_SEGMENTS)[1] = '.components';
const CLASS_NAME = /^[A-Z][A-Za-z0-9_]*$/;
/** The digits name the conversation that a generated one is of. */
const FILE = /^([A-Z][A-Za-z0-9_]*)(\.generated(?:-([0-9a-f]{16}))?)?\.ts$/;

/** `generated`: written by an assistant, and not saved by a person. */
export type ComponentOrigin = 'saved' | 'generated';

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

export interface StoredComponents {
  /** By name; one for each class: a generated one covers a saved one. */
  readonly components: readonly StoredComponent[];
  readonly skipped: readonly SkippedComponent[];
}

/**
 * The sources of a user's components, in `.components/` of the workspace. This is the only way to that directory: the
 * workspace's own operations refuse it. Takes class names, never paths.
 *
 * All failures are {@link WorkspaceError}.
 */
export interface ComponentStore {
  /**
   * Stores a source, in one step. A person's takes the place of a generated one; a generated one leaves a person's as it
   * is, and covers it until {@link clearGenerated}.
   *
   * @param conversation of a generated one
   * @throws WorkspaceError `invalid` (name or size), `quota`, `exists` (the names differ in case only), `read_only`
   */
  save(className: string, code: string, origin: ComponentOrigin, conversation?: string): void;
  /** Removes a component, saved and generated. Whether there was one. */
  remove(className: string): Promise<boolean>;
  /**
   * Removes the components that an assistant generated and no person saved: those of a conversation, or all. Returns their
   * number.
   */
  clearGenerated(conversation?: string): Promise<number>;
  list(): Promise<StoredComponents>;
  close(): void;
}

/**
 * Opens the store of the workspace at `dir`. Makes `.components/` when the first source is saved.
 *
 * @throws WorkspaceError `unavailable` if `dir` is missing
 */
export function openComponentStore(
  dir: string,
  options: Pick<WorkspaceOptions, 'readOnly' | 'quota' | 'resolver' | 'durable'> = {},
): ComponentStore {
  const outer = openRoot(dir, options.resolver);
  const quota = options.quota && createQuota(options.quota, outer);
  const enclosureOf = (root: Root): Enclosure => ({
    root,
    ambient: undefined,
    readOnly: options.readOnly ?? false,
    denyList: false,
    durable: options.durable ?? false,
    base: undefined,
    masks: [],
    ignoreNames: new Set(),
    limits: { ...DEFAULT_LIMITS, maxFileBytes: MAX_COMPONENT_BYTES },
    quota,
    trash: undefined,
    closing: new AbortController().signal,
  });
  /** Opens the directory for one call. Undefined where it is missing and not to be made. */
  const opened = (makes: boolean): Enclosure | undefined => {
    outer.check();
    if (makes && options.readOnly === true) throw new WorkspaceError('read_only', 'This workspace is read-only');
    try {
      const open = (_given: string, kind: DirKind) => openSegment(outer, kind, makes);
      return enclosureOf(openRoot(outer.dir.at(SEGMENT), options.resolver, open));
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' && !makes) return undefined;
      if (error instanceof WorkspaceError) throw error;
      throw new WorkspaceError('io', `Cannot open the components: ${osReason(error)}`, { cause: error });
    }
  };
  const withStore = async <Result>(empty: Result, act: (store: Enclosure) => Promise<Result>): Promise<Result> => {
    const store = opened(false);
    if (store === undefined) return empty;
    try {
      return await act(store);
    } finally {
      store.root.close();
    }
  };
  return {
    save(className, code, origin, conversation) {
      checkSource(className, code);
      const store = opened(true) as Enclosure;
      try {
        requireFreeName(store, className);
        const file = fileOf(className, origin, conversation);
        writeFile(store, file, code);
        for (const other of generatedFiles(store, className)) if (other !== file) removeTemp(store.root.dir.at(other));
      } finally {
        store.root.close();
      }
    },
    remove: async (className) => {
      checkClassName(className);
      return await withStore(false, async (store) => {
        const files = [fileOf(className, 'saved'), ...generatedFiles(store, className)];
        const removed = await Promise.all(files.map((file) => removeFile(store, file)));
        return removed.includes(true);
      });
    },
    clearGenerated: (conversation) =>
      withStore(0, async (store) => {
        const tag = conversation === undefined ? undefined : tagOf(conversation);
        let count = 0;
        for (const { name } of sources(store).found) {
          const [, , generated, own] = FILE.exec(name) as RegExpExecArray;
          const isMeant = generated !== undefined && (tag === undefined || own === tag);
          if (isMeant && (await removeFile(store, name))) count++;
        }
        return count;
      }),
    list: () => withStore<StoredComponents>({ components: [], skipped: [] }, readAll),
    close: () => outer.close(),
  };
}

function fileOf(className: string, origin: ComponentOrigin, conversation?: string): string {
  if (origin === 'saved') return `${className}.ts`;
  return `${className}.generated${conversation === undefined ? '' : `-${tagOf(conversation)}`}.ts`;
}

/** Names of conversations are any text, and those of files are not. */
const tagOf = (conversation: string): string => createHash('sha256').update(conversation).digest('hex').slice(0, 16);

/** The generated files of a class: one, or two where a process was killed between them. */
function generatedFiles(store: Enclosure, className: string): string[] {
  return sources(store).found.flatMap(({ name }) => {
    const [, own, generated] = FILE.exec(name) as RegExpExecArray;
    return own === className && generated !== undefined ? [name] : [];
  });
}

/** Reached from the workspace's own descriptor, and never through a link. */
function openSegment(outer: Root, kind: DirKind, makes: boolean): Dir {
  const at = outer.dir.at(SEGMENT);
  if (makes && lstatSync(at, { throwIfNoEntry: false }) === undefined)
    try {
      mkdirSync(at, 0o755);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  const dir = openDir(at, kind);
  try {
    outer.dir.verify();
    dir.verify();
  } catch (error) {
    dir.close();
    throw error;
  }
  return dir;
}

/** @throws WorkspaceError `invalid` */
function checkClassName(className: string): void {
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

function checkSource(className: string, code: string): void {
  checkClassName(className);
  const bytes = Buffer.byteLength(code);
  if (code.trim() === '') throw new WorkspaceError('invalid', 'The code is empty');
  if (bytes > MAX_COMPONENT_BYTES)
    throw new WorkspaceError('invalid', `code size ${bytes} bytes exceeds limit of ${MAX_COMPONENT_BYTES} bytes`);
}

/** Some file systems take `Sum` and `SUM` for one name. */
function requireFreeName(store: Enclosure, className: string): void {
  const names = sources(store).found.map(({ name }) => FILE.exec(name)?.[1] as string);
  const other = names.find((name) => name !== className && foldName(name) === foldName(className));
  if (other !== undefined)
    throw new WorkspaceError('exists', `The component ${other} has the same name but for its case`);
  if (names.length >= MAX_COMPONENTS && !names.includes(className))
    throw new WorkspaceError('quota', `The workspace has ${names.length} components, and may have no more`);
}

/** The files of components, and the other entries. */
function sources(store: Enclosure) {
  const { entries } = listDir(store, '.', { sizes: true });
  const isSource = ({ name, type }: (typeof entries)[number]) => type === 'file' && FILE.test(name);
  return { found: entries.filter(isSource), others: entries.filter((entry) => !isSource(entry)) };
}

async function readAll(store: Enclosure): Promise<StoredComponents> {
  sweep(store);
  const { found, others } = sources(store);
  const skipped: SkippedComponent[] = others.map(({ name }) => ({
    file: name,
    reason: 'It is not a TypeScript file named after a class.',
  }));
  const components = new Map<string, StoredComponent>();
  // `Sum.generated….ts` comes before `Sum.ts`.
  for (const { name } of found.slice(0, 2 * MAX_COMPONENTS)) {
    const [, className = '', generated] = FILE.exec(name) as RegExpExecArray;
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
async function removeFile(store: Enclosure, file: string): Promise<boolean> {
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
