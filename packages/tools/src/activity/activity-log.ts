import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, WorkspaceError } from '@croft/workspace';
import type { ToolCall } from '../call-tool.ts';
import { type AnyTool, ToolError, type ToolResult } from '../tool.ts';

/** One line of the log: what an agent did, never what the files held. */
export interface ActivityEntry {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly who: string;
  readonly tool: string;
  /** Paths as the caller wrote them, cut at 300 characters, control characters shown as escapes. */
  readonly paths: readonly string[];
  /** `ok`, or the code of the failure. */
  readonly outcome: string;
  readonly bytes?: number;
  readonly durationMs: number;
  readonly changes?: readonly Change[];
  /** Of an undo: the entries it took back, and old versions that now go by a new name. */
  readonly undoes?: readonly string[];
  readonly aliases?: Readonly<Record<string, string>>;
}

/** What one finished call tells the log. */
export interface RecordedCall {
  readonly call: ToolCall;
  readonly tool: AnyTool | undefined;
  readonly result: ToolResult;
  readonly failure: unknown;
  readonly caller: string | undefined;
  /** Epoch milliseconds. */
  readonly started: number;
}

/** The activity of one workspace: an append-only log and the trash beside it, where no agent can reach. */
export interface Activity {
  readonly trashDir: string;
  record(call: RecordedCall): void;
  append(entry: Omit<ActivityEntry, 'id' | 'time'>): void;
  /** Oldest first; bounded by the two files that are kept. */
  entries(): readonly ActivityEntry[];
  close(): void;
}

const MAX_LOG_BYTES = 8 * 1024 * 1024;
const MAX_PATH_CHARS = 300;
const MAX_PATHS = 20;
const CHECK_EVERY = 256;

/** Where the activity of a workspace lies below Croft's base directory. Its name tells nothing but equality. */
export function activityDir(baseDir: string, workspaceRoot: string): string {
  return join(baseDir, 'activity', createHash('sha256').update(workspaceRoot).digest('hex').slice(0, 16));
}

/**
 * Opens the activity of a workspace, making its directory (0700). Lines are appended with one write each, so several
 * processes may share a log. At 8 MiB the log is set aside once; the one before that is dropped.
 */
export function openActivity(baseDir: string, workspaceRoot: string): Activity {
  const directory = activityDir(baseDir, workspaceRoot);
  const file = join(directory, 'log.ndjson');
  let fd: number | undefined;
  let lines = 0;
  const open = (): number => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(join(directory, 'workspace.json'), `${JSON.stringify({ root: workspaceRoot })}\n`, { mode: 0o600 });
    return openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600);
  };
  const append = (entry: Omit<ActivityEntry, 'id' | 'time'>): void => {
    fd ??= open();
    if (lines++ % CHECK_EVERY === 0) fd = rotate(file, fd, open);
    const full: ActivityEntry = { id: newId(), time: new Date().toISOString(), ...entry };
    writeSync(fd, `${JSON.stringify(full)}\n`);
  };
  return {
    trashDir: join(directory, 'trash'),
    append,
    record: (call) => append(describe(call)),
    entries: () => [...readLog(`${file}.1`), ...readLog(file)],
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

let counter = 0;

function newId(): string {
  counter = (counter + 1) % 46_656;
  return `${Date.now().toString(36)}${process.pid.toString(36)}${counter.toString(36).padStart(3, '0')}`;
}

function describe({ call, tool, result, failure, caller, started }: RecordedCall): Omit<ActivityEntry, 'id' | 'time'> {
  const changes = result.changes ?? [];
  return {
    who: clean(caller ?? 'unknown'),
    tool: clean(call.name),
    paths: pathsOf(tool, call.input),
    outcome: result.ok ? 'ok' : outcomeOf(failure),
    ...(result.bytes !== undefined && { bytes: result.bytes }),
    durationMs: Date.now() - started,
    ...(changes.length > 0 && { changes }),
  };
}

function outcomeOf(failure: unknown): string {
  if (failure instanceof WorkspaceError || failure instanceof ToolError) return failure.code;
  return failure === undefined ? 'refused' : 'internal';
}

function pathsOf(tool: AnyTool | undefined, input: unknown): readonly string[] {
  try {
    return (tool?.paths?.(input as never) ?? []).filter((path) => typeof path === 'string').slice(0, MAX_PATHS).map(clean);
  } catch {
    // Arguments that were refused have any shape.
    return [];
  }
}

/** Text for one line of a terminal: no control characters, no endless names. */
export function clean(text: string): string {
  const cut = text.length > MAX_PATH_CHARS ? `${text.slice(0, MAX_PATH_CHARS)}…` : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
  return cut.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function rotate(file: string, fd: number, open: () => number): number {
  try {
    // Another process may have set the file aside: then this descriptor writes where nobody reads.
    const current = statSync(file, { throwIfNoEntry: false });
    const moved = current?.ino !== fstatSync(fd).ino;
    if (!moved && (current?.size ?? 0) < MAX_LOG_BYTES) return fd;
    if (!moved) renameSync(file, `${file}.1`);
    closeSync(fd);
  } catch {
    return fd;
  }
  return open();
}

function readLog(file: string): ActivityEntry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  const entries: ActivityEntry[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      entries.push(JSON.parse(line) as ActivityEntry);
    } catch {
      // The last line of a killed process may be cut.
    }
  }
  return entries;
}
