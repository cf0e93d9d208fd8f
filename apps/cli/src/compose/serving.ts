import { basename, dirname, parse, resolve } from 'node:path';
import {
  type Activity,
  boundWorkspace,
  confirmDestructive,
  fixedWorkspace,
  makeToolset,
  reconcile,
  type ToolTable,
  type ToolsetName,
  type WorkspaceSource,
} from '@croft/tools';
import {
  croftBaseDir,
  mountWorkspaces,
  openWorkspace,
  presentUser,
  readIsolationConfig,
  resolveNamespace,
  type Workspace,
  WorkspaceError,
  type WorkspaceOptions,
} from '@croft/workspace';
import { printable } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { prepareActivity } from './prepare-activity.ts';
import { workspaceRoot } from './workspace-root.ts';

/** The workspaces to serve, from the flags. */
export interface ServingOptions {
  readonly dirs: readonly string[];
  readonly toolset: ToolsetName;
  readonly readOnly: boolean;
  /** Serve this user's own namespace below the base directory. */
  readonly user?: string | undefined;
  readonly ignore: readonly string[];
  readonly confirm: boolean;
  /** A list adds the operator's own names to the built-in ones. */
  readonly denyList: boolean | readonly string[];
  readonly durable: boolean;
  readonly quotaBytes?: number | undefined;
  readonly trashBytes?: number | undefined;
  readonly quotaFiles?: number | undefined;
}

/** The tools over the workspaces, and the host paths that they need. */
export interface Serving {
  readonly table: ToolTable;
  /** Names of the workspaces. With several workspaces, a path starts with one of them. */
  readonly names: readonly string[];
  /** Real host paths of the workspaces. */
  readonly roots: readonly string[];
  /** Host directories outside the workspaces that serving writes to. */
  readonly stateDirs: readonly string[];
  /** Host files outside the workspaces that every call reads. */
  readonly readFiles: readonly string[];
  readonly resolver: string;
  /** Whether changes can be undone. */
  readonly hasTrash: boolean;
  close(): void;
}

/**
 * Opens the workspaces and creates their tools.
 *
 * @throws UsageError, WorkspaceError
 */
export function openServing(options: ServingOptions): Serving {
  const baseDir = croftBaseDir();
  const opened = options.user === undefined ? openDirs(options, baseDir) : [openUser(options, options.user, baseDir)];
  for (const { workspace } of opened)
    if (parse(workspace.root).root === workspace.root)
      process.stderr.write(
        `croft: warning: ${workspace.root} is the whole disk: agents reach all that this user can, protected names excepted\n`,
      );
  const [first] = opened as [Opened, ...Opened[]];
  const source = opened.length === 1 ? first.source : fixedWorkspace(mountWorkspaces(opened));
  const tools = makeToolset(options.toolset, source, { readOnly: options.readOnly });
  return {
    table: {
      tools: options.confirm ? confirmDestructive(tools, source) : tools,
      activity: opened.length === 1 ? first.activity : routedActivity(opened),
      onInternalError: reportInternalError,
    },
    names: opened.map(({ name }) => name),
    roots: opened.map(({ workspace }) => workspace.root),
    stateDirs: opened.flatMap(({ activity }) => (activity ? [dirname(activity.trashDir)] : [])),
    readFiles: options.user === undefined ? [] : [readIsolationConfig().pepperPath],
    resolver: first.workspace.resolver,
    hasTrash: opened.every(({ activity }) => activity !== undefined),
    close() {
      for (const { workspace, activity } of opened) {
        workspace.close();
        activity?.close();
      }
    },
  };
}

interface Opened {
  readonly name: string;
  readonly workspace: Workspace;
  readonly source: WorkspaceSource;
  /** Absent if the base directory is not writable. */
  readonly activity: Activity | undefined;
}

function openDirs(options: ServingOptions, baseDir: string): Opened[] {
  if (options.dirs.length === 0) throw new UsageError('Name the directory to serve, e.g. croft mcp ~/projects/app');
  const names = new Set<string>();
  return options.dirs.map((dir) => {
    const path = resolve(dir);
    const activity = prepareActivity(baseDir, workspaceRoot(dir, baseDir));
    const workspace = openWorkspace(path, workspaceOptions(options, baseDir, activity));
    if (activity) reconcile(workspace, activity);
    return { name: freeName(basename(path) || 'root', names), workspace, source: fixedWorkspace(workspace), activity };
  });
}

function openUser(options: ServingOptions, user: string, baseDir: string): Opened {
  if (options.dirs.length > 0) throw new UsageError('--user serves the namespace of that user and takes no directory');
  if (presentUser(user) === undefined) throw new UsageError('--user needs the id of a user');
  const { root } = resolveNamespace({ userId: user, forceIsolation: true });
  const activity = prepareActivity(baseDir, root);
  const made = workspaceOptions(options, baseDir, activity);
  const source = boundWorkspace({ userId: () => user, forceIsolation: true, options: made });
  const workspace = source.acquire();
  if (activity) reconcile(workspace, activity);
  return { name: 'user', workspace, source, activity };
}

function workspaceOptions(options: ServingOptions, baseDir: string, activity: Activity | undefined): WorkspaceOptions {
  const { quotaBytes, quotaFiles, trashBytes } = options;
  const limited = quotaBytes !== undefined || quotaFiles !== undefined;
  return {
    baseDir,
    readOnly: options.readOnly,
    denyList: options.denyList,
    durable: options.durable,
    ignoreNames: options.ignore,
    ...(activity && { trashDir: activity.trashDir }),
    ...(trashBytes !== undefined && { trashLimits: { maxBytes: trashBytes } }),
    ...(limited && {
      quota: {
        ...(quotaBytes !== undefined && { maxBytes: quotaBytes }),
        ...(quotaFiles !== undefined && { maxFiles: quotaFiles }),
      },
    }),
  };
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`;
  taken.add(name);
  return name;
}

/** Each workspace has its own log: a call is recorded in the workspace of its first path. */
function routedActivity(opened: readonly Opened[]): Pick<Activity, 'begin'> | undefined {
  const [first] = opened as [Opened, ...Opened[]];
  if (!first.activity) return undefined;
  const { activity } = first;
  return {
    begin(call) {
      const path = call.paths()[0];
      const led = path === undefined ? undefined : opened.find((candidate) => leadsTo(candidate, path));
      return (led?.activity ?? activity).begin(call);
    },
  };
}

function leadsTo({ name, workspace }: Opened, path: string): boolean {
  if (path.startsWith('/') && workspace.locate(path).inside) return true;
  return path.split('/').find((part) => part !== '' && part !== '.') === name;
}

/** Writes an unexpected error to standard error, for the operator. The model does not get it. */
function reportInternalError(error: unknown, tool: string): void {
  const detail =
    error instanceof WorkspaceError
      ? error.operatorMessage
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  process.stderr.write(`croft: ${tool} failed unexpectedly: ${printable(detail)}\n`);
}
