import type { Change } from '@croft/workspace';
import { clean, toLine } from './printable-text.ts';

/**
 * The way of a call: MCP, a page of the server, its REST API, a connected server, the command line, the assistant. Runs of
 * flows also start by a webhook, a schedule or a public link.
 */
export const VIA = ['mcp', 'page', 'api', 'gateway', 'cli', 'assistant', 'webhook', 'schedule', 'link'] as const;
export type Via = (typeof VIA)[number];

/** The caller. */
export interface Actor {
  /** The user of the server; `null` without accounts. */
  readonly userId: string | null;
  readonly via: Via;
  /** The name that the client gave itself. For the log only, because the client can claim any name. */
  readonly client: string | null;
  /** The name of the API key of the request, never its secret; absent without one. */
  readonly key?: string | undefined;
  /** The flow whose run made the change; `via` is then how the run was started. */
  readonly flow?: ActingFlow | undefined;
}

/** A flow whose run changes files. Flows that it runs as sub-flows change files in its name. */
export interface ActingFlow {
  readonly name: string;
  /** Of the stored flow and of its run; absent for a flow in a file. */
  readonly id?: string | undefined;
  readonly runId?: string | undefined;
}

/** One call in the log. Never has content of files. */
export interface ActivityEntry {
  readonly id: string;
  /** ISO 8601, UTC: when the change was made, or the call that changed nothing ended. */
  readonly time: string;
  readonly actor: Actor;
  readonly tool: string;
  /** Paths as the caller wrote them, with control characters escaped; cut in entries without changes. */
  readonly paths: readonly string[];
  /** Number of further paths that did not fit into the entry. */
  readonly morePaths?: number;
  /** The pattern of a search, cut, with secrets removed. */
  readonly pattern?: string;
  /** `ok`, or the code of the failure; `interrupted` when the process was killed before it made the change. */
  readonly outcome: string;
  /** The entry was corrected after its process was killed: its last line is younger than its time. */
  readonly corrected?: true;
  readonly bytes?: number;
  /** Until the change was made, or until the answer of a call that changed nothing. */
  readonly durationMs: number;
  readonly changes?: readonly Change[];
  /** Of an undo: the entries it took back, and old versions that now have a new name. */
  readonly undoes?: readonly string[];
  readonly aliases?: Readonly<Record<string, string>>;
  /** Of an undo: the ids in the trash of the content that it moved back. Logs of older builds lack it. */
  readonly restored?: readonly string[];
}

/** The longest line of an entry without changes, line feed included. */
export const MAX_READ_BYTES = 2_048;
const MAX_CHARS = 300;
const MAX_PATHS = 20;
/** Of keys and flows. */
const MAX_NAME_CHARS = 200;

/** The actor as the log stores it: names are cut, without control characters. */
export function recordedActor({ client, key, flow, ...actor }: Actor): Actor {
  return {
    ...actor,
    client: client === null ? null : clean(client),
    ...(key !== undefined && { key: clean(key, MAX_NAME_CHARS) }),
    ...(flow !== undefined && { flow: { ...flow, name: clean(flow.name, MAX_NAME_CHARS) } }),
  };
}

/** Describes an actor in one phrase, for people. */
export function actorName({ flow, ...actor }: Actor): string {
  const starter = starterName(actor);
  return flow === undefined ? starter : `flow ${quoted(flow.name)}, started by ${starter}`;
}

function starterName({ userId, via, client, key }: Actor): string {
  const withKey = key === undefined ? '' : ` with api key ${quoted(key)}`;
  const user = userId === null ? '' : ` of ${userId}`;
  switch (via) {
    case 'cli':
      return 'person';
    case 'gateway':
      return client === null ? 'gateway' : `gateway of ${client}`;
    case 'api':
      return key === undefined ? `api key${user}` : `api key ${quoted(key)}${user}`;
    case 'mcp':
      return `${clientName(client)}${withKey}${user}`;
    case 'link':
      return `public link${user}`;
    default:
      return `${via}${withKey}${user}`;
  }
}

/** Clients choose their names. Quotes mark a name that could be read as another kind of actor, or that has unusual characters. */
function clientName(client: string | null): string {
  if (client === null) return 'MCP client';
  const isPlain = /^[\w.-]+$/.test(client) && ![...VIA, 'person', 'flow'].includes(client);
  return isPlain ? client : `MCP client ${quoted(client)}`;
}

/** A name that others chose, so that it cannot look like another part of the phrase. */
const quoted = (name: string): string => `"${name.replace(/["\\]/g, '\\$&')}"`;

const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem);
const isText = (value: unknown): boolean => typeof value === 'string';
const isChange = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  isText((value as Partial<Change>).kind) &&
  isText((value as Partial<Change>).path);

/** Reads an entry from a line of any version; `undefined` if the line is not an entry. */
export function readEntry(line: unknown): ActivityEntry | undefined {
  if (typeof line !== 'object' || line === null) return undefined;
  const entry = line as Partial<ActivityEntry> & { readonly who?: unknown };
  if (typeof entry.id !== 'string' || typeof entry.time !== 'string' || typeof entry.outcome !== 'string')
    return undefined;
  if (!isListOf(entry.paths, isText) || !isListOf(entry.changes ?? [], isChange)) return undefined;
  if (!isListOf(entry.undoes ?? [], isText) || !isListOf(entry.restored ?? [], isText)) return undefined;
  if (entry.actor !== undefined) return entry as ActivityEntry;
  // Before version 0.2 an entry had one text, `who`, instead of an actor.
  const { who, ...rest } = entry;
  return { ...rest, actor: actorOf(typeof who === 'string' ? who : '') } as ActivityEntry;
}

function actorOf(who: string): Actor {
  const [, key, user] = /^(page|api key) of (.+)$/s.exec(who) ?? [];
  if (user !== undefined) return { userId: user, via: key === 'page' ? 'page' : 'api', client: null };
  if (who === 'person') return { userId: null, via: 'cli', client: null };
  if (who === 'gateway') return { userId: null, via: 'gateway', client: null };
  return { userId: null, via: 'mcp', client: who === '' || who === 'unknown' ? null : who };
}

/**
 * Builds the line of an entry without changes, of at most {@link MAX_READ_BYTES}. Leaves out paths after the twentieth, then more
 * paths, then cuts texts.
 */
export function toReadLine(entry: ActivityEntry): string {
  const shown = entry.paths.slice(0, MAX_PATHS).map((path) => clean(path));
  const withPaths = (kept: number): ActivityEntry => {
    const more = entry.paths.length - kept;
    return { ...entry, paths: shown.slice(0, kept), ...(more > 0 && { morePaths: more }) };
  };
  let kept = shown.length;
  let fitted = withPaths(kept);
  let line = lineOf(fitted);
  while (!fits(line) && kept > 1) {
    kept = Math.floor(kept / 2);
    fitted = withPaths(kept);
    line = lineOf(fitted);
  }
  for (let chars = MAX_CHARS / 2; !fits(line) && chars >= 1; chars = Math.floor(chars / 2))
    line = lineOf(cutTexts(fitted, chars));
  return line;
}

/** Builds the line of an entry with changes: always complete, of any length. */
export function toChangeLine(entry: ActivityEntry): string {
  return lineOf({ ...entry, paths: entry.paths.map((path) => clean(path, Number.POSITIVE_INFINITY)) });
}

function lineOf(entry: ActivityEntry): string {
  return `${toLine(entry)}\n`;
}

function fits(line: string): boolean {
  return Buffer.byteLength(line) <= MAX_READ_BYTES;
}

function cutTexts(entry: ActivityEntry, chars: number): ActivityEntry {
  const cut = (text: string) => (text.length > chars ? `${text.slice(0, chars)}…` : text);
  const { actor, pattern } = entry;
  const { key, flow } = actor;
  return {
    ...entry,
    tool: cut(entry.tool),
    paths: entry.paths.map(cut),
    actor: {
      ...actor,
      userId: actor.userId === null ? null : cut(actor.userId),
      client: actor.client === null ? null : cut(actor.client),
      ...(key !== undefined && { key: cut(key) }),
      ...(flow !== undefined && { flow: { ...flow, name: cut(flow.name) } }),
    },
    ...(pattern !== undefined && { pattern: cut(pattern) }),
  };
}
