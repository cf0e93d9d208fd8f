import type { RunDetails, Runs } from '@croft/runs';
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type pg from 'pg';
import { root } from '../../scripts/prepare.mjs';
import { bundleProgram } from '../support/bundle-program.ts';
import { effectsFile, openTestRuns, testSealer } from './open-test-runs.ts';
import { chainOf } from './test-components.ts';
import type { WorkerProcessOptions } from './worker-process.ts';
import { openRuns } from '@croft/runs';

let program: string | undefined;

/** For tests: a chain of ten nodes with and without effects. */
export const TEN_NODES = ['Effect', 'Pure', 'Paid', 'Effect', 'Pure', 'Effect', 'Effect', 'Paid', 'Pure', 'Effect'];

/** Points of a node: before its effect, between the effect and its checkpoint, and after the checkpoint. */
export const POINTS = ['before', 'after', 'recorded'] as const;
export type Point = (typeof POINTS)[number];

/** For tests: a worker in a process of its own. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  /** Resolves with the first output line that starts with the text; rejects when the process ends before. */
  said(text: string): Promise<string>;
  readonly ended: Promise<unknown>;
  /** Lets it hand its runs over and end. */
  stop(): Promise<unknown>;
}

/** For tests: starts it. Stop it, or kill it. */
export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  program ??= bundleProgram("import './tests/runs/worker-process.ts';");
  const child = spawn(process.execPath, ['--input-type=module', '-', JSON.stringify(options)], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  }) as ChildProcessByStdio<Writable, Readable, null>;
  const control = child.stdio[3] as Writable;
  control.on('error', () => {});
  child.stdin.on('error', () => {}).end(program);
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  const ended = once(child, 'close');
  return {
    child,
    ended,
    stop() {
      control.end();
      return ended;
    },
    async said(text) {
      for (;;) {
        const found = lines.find((line) => line.startsWith(text));
        if (found !== undefined) return found;
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the worker ended before '${text}'`);
        await Promise.race([once(output, 'line'), ended]);
      }
    },
  };
}

/** For tests: queues and shows runs, and runs none. */
export const openWithoutWorker = (database: pg.ClientConfig): Promise<Runs> =>
  openRuns({ database, sealer: testSealer });

export interface KilledRun {
  readonly run: RunDetails;
  /** Keys of effects, as often as they happened. */
  readonly keys: readonly string[];
  /** From the restart of the worker until the run was finished. */
  readonly ms: number;
}

/** For tests: runs a flow on a worker that kills itself at a point, and then on its next start. */
export async function runKilledAt(
  database: pg.ClientConfig,
  runs: Runs,
  point: Point,
  index: number,
): Promise<KilledRun> {
  const effects = effectsFile();
  try {
    const types = TEN_NODES;
    const userId = `killed-${point}-${index}`;
    const name = userId;
    const id = await runs.enqueue({ userId, flow: chainOf(types) });
    const next = index + 1 < types.length ? `n${index + 1}` : 'end';
    const killAt = point === 'recorded' ? `before ${next}` : `${point} n${index}`;
    const victim = startWorkerProcess({ database, name, effects: effects.path, killAt });
    await victim.ended;
    if (victim.child.signalCode !== 'SIGKILL') throw new Error(`the worker did not kill itself at ${killAt}`);
    const started = performance.now();
    const survivor = await openTestRuns(database, effects.path, { name });
    const run = await survivor.wait(id, userId);
    const ms = performance.now() - started;
    await survivor.close();
    return { run, ms, keys: effects.lines().map((line) => line.split(' ')[1] ?? '') };
  } finally {
    effects.remove();
  }
}

/** For tests: sentences about what is wrong with a run after a kill. */
export function problemsOf({ run, keys }: KilledRun, point: Point, index: number): string[] {
  const problems: string[] = [];
  const text = TEN_NODES.map((_, each) => `n${each}`).join('>');
  if (run.status !== 'completed') problems.push(`status ${run.status}: ${run.failure?.message}`);
  else if (run.result?.text !== text) problems.push(`result ${run.result?.text}`);
  if (run.attempt !== 2) problems.push(`${run.attempt} attempts`);
  for (const [each, type] of TEN_NODES.entries()) {
    if (type === 'Pure') continue;
    const count = keys.filter((key) => key === `${run.id}/n${each}/`).length;
    // The effect that was not recorded happens again, with the same key.
    const expected = point === 'after' && each === index ? 2 : 1;
    if (count !== expected) problems.push(`effect of n${each} happened ${count} times instead of ${expected}`);
  }
  return problems;
}
