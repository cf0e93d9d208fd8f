import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Change, WorkspaceError, makeDirs } from '@croft/workspace';
import { type AnyTool, type ToolCall, ToolError, type ToolResult } from '../tool.ts';
import { clean, toLine } from './printable-text.ts';
import { patternOf } from './redact.ts';

/** One line of the log: what an agent did, never what the files held. */
export interface ActivityEntry {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly who: string;
  readonly tool: string;
  /** Paths as the caller wrote them, cut at 300 characters, control characters shown as escapes. */
  readonly paths: readonly string[];
  /** What a search looked for, cut, without what looks like a secret. */
  readonly pattern?: string;
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
  /** Written at once; gives the entry with its id. */
  append(entry: Omit<ActivityEntry, 'id' | 'time'>): ActivityEntry;
  /** Oldest first; bounded by the two files that are kept. A damaged line is left out. */
  entries(): readonly ActivityEntry[];
  close(): void;
}

const MAX_LOG_BYTES = 8 * 1024 * 1024;
const MAX_PATHS = 20;
/** Bytes written before the size of the file is looked at again. */
const CHECK_BYTES = 256 * 1024;
const LOG_NAME = /^log\.(\d{1,9})\.ndjson$/;
const NEWLINE = 10;

/** Where the activity of a workspace lies below Croft's base directory. Its name tells nothing but equality. */
export function activityDir(baseDir: string, workspaceRoot: string): string {
  return join(baseDir, 'activity', createHash('sha256').update(workspaceRoot).digest('hex').slice(0, 16));
}

/**
 * Opens the activity of a workspace, making its directory (0700). Lines are appended whole, so several processes may
 * share a log. At 8 MiB the next file is begun, and the one before the last is dropped. Files are numbered and never
 * renamed: processes that begin one at the same time begin the same one.
 */
export function openActivity(baseDir: string, workspaceRoot: string): Activity {
  const directory = activityDir(baseDir, workspaceRoot);
  let fd: number | undefined;
  let unchecked = 0;
  const open = (): number => {
    makeDirs(directory);
    writeFileSync(join(directory, 'workspace.json'), `${JSON.stringify({ root: workspaceRoot })}\n`, { mode: 0o600 });
    return openNewest(directory);
  };
  let waiting = '';
  let failure: unknown;
  const write = (): void => {
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    if (fd !== undefined && unchecked >= CHECK_BYTES) {
      closeSync(fd);
      fd = undefined;
    }
    if (fd === undefined) {
      fd = open();
      unchecked = 0;
    }
    unchecked += writeSync(fd, lines);
  };
  const add = (entry: Omit<ActivityEntry, 'id' | 'time'>): ActivityEntry => {
    const full: ActivityEntry = { id: newId(), time: new Date().toISOString(), ...entry };
    waiting += `${toLine(full)}\n`;
    return full;
  };
  const append = (entry: Omit<ActivityEntry, 'id' | 'time'>): ActivityEntry => {
    const full = add(entry);
    write();
    return full;
  };
  /** Calls that changed nothing are written in one go, when their answers are out. What changed a file is on record at once. */
  const record = (call: RecordedCall): void => {
    const entry = describe(call);
    if (entry.changes) {
      append(entry);
      return;
    }
    if (waiting === '') setImmediate(writeWaiting);
    add(entry);
    if (failure === undefined) return;
    const cause = failure;
    failure = undefined;
    throw cause;
  };
  const writeWaiting = (): void => {
    try {
      write();
    } catch (error) {
      // Told with the next call: there is nobody here to tell.
      failure = error;
    }
  };
  return {
    trashDir: join(directory, 'trash'),
    append,
    record,
    entries() {
      writeWaiting();
      const kept = numbers(directory).slice(-2);
      const all = kept.flatMap((number) => readLog(logFile(directory, number)));
      // Another process may still have been writing the older file.
      return all.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
    },
    close() {
      writeWaiting();
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
  const pattern = patternOf(tool, call.input);
  return {
    who: clean(caller ?? 'unknown'),
    tool: clean(call.name),
    paths: pathsOf(tool, call.input),
    ...(pattern !== undefined && { pattern }),
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
    return (tool?.paths?.(input as never) ?? [])
      .filter((path) => typeof path === 'string')
      .slice(0, MAX_PATHS)
      .map(clean);
  } catch {
    // Arguments that were refused have any shape.
    return [];
  }
}

function logFile(directory: string, number: number): string {
  return join(directory, `log.${number}.ndjson`);
}

function numbers(directory: string): number[] {
  try {
    return readdirSync(directory)
      .flatMap((name) => LOG_NAME.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  } catch {
    // Nothing was recorded yet.
    return [];
  }
}

/** The newest file, or the one after it when that is full. */
function openNewest(directory: string): number {
  const known = numbers(directory);
  const newest = known.at(-1) ?? 1;
  const fd = openLog(logFile(directory, newest));
  if (fstatSync(fd).size < MAX_LOG_BYTES) return fd;
  closeSync(fd);
  for (const number of known.slice(0, -1)) drop(logFile(directory, number));
  return openLog(logFile(directory, newest + 1));
}

function openLog(file: string): number {
  const fd = openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  // A killed process may have left half a line: the next one must not be lost with it.
  if (size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE) writeSync(fd, '\n');
  return fd;
}

function drop(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Another process did.
  }
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
