import { createHash } from 'node:crypto';
import type { ReadOutcome } from './sandbox/messages.ts';
import { SandboxFailure } from './sandbox-thread.ts';
import { giveThread, takeThread } from './sandbox-threads.ts';

/** Reading takes milliseconds; some hostile sources would take a parser years. */
const READ_MS = 3_000;
const MAX_KNOWN = 200;
/** Larger sources are read each time. */
const MAX_KNOWN_CHARS = 64 * 1024;

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The reading uses this user's share of the threads. */
  readonly user?: string | undefined;
}

const known = new Map<string, ReadOutcome>();

/**
 * Reads the source of a component in the sandbox's thread: its ports, what is wrong with it, and what the scan found. Runs
 * nothing of it. Remembers the outcomes of the last sources.
 */
export async function readComponent(source: string, options: ReadOptions = {}): Promise<ReadOutcome> {
  const key = keyOf(source);
  const found = known.get(key);
  if (found) return found;
  const outcome = await readInThread(source, options);
  if (source.length > MAX_KNOWN_CHARS) return outcome;
  known.set(key, outcome);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value as string);
  return outcome;
}

/** The outcome of an earlier reading of exactly this source, without waiting; undefined where it was not read yet. */
export const knownComponent = (source: string): ReadOutcome | undefined => known.get(keyOf(source));

const keyOf = (source: string): string => createHash('sha256').update(source).digest('base64');

async function readInThread(source: string, { signal, user }: ReadOptions): Promise<ReadOutcome> {
  const thread = await takeThread(user, signal);
  try {
    const answer = await thread.ask({ kind: 'read', source }, READ_MS, signal);
    if ('read' in answer) return answer.read;
    throw new SandboxFailure('ended');
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error;
    const message = 'The code is too complicated to be read. Nest fewer parentheses and type parameters.';
    return { ok: false, problems: [{ kind: 'syntax', line: 0, column: 0, message }] };
  } finally {
    giveThread(thread, user);
  }
}
