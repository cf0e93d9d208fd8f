// A worker in a process of its own, which ends itself at a point of a node. Its argument is JSON of the options.
// Prints `ready` when it takes runs. Ends when its descriptor 3 is closed.
import { Socket } from 'node:net';
import type pg from 'pg';
import { openTestRuns } from './open-test-runs.ts';

export interface WorkerProcessOptions {
  readonly database: pg.ClientConfig;
  readonly name: string;
  readonly effects: string;
  /** Where the process kills itself, as `<point> <node>`; it prints `at <point> <node>` at each point instead if absent. */
  readonly killAt?: string;
  /** Where the process stays until it is killed. */
  readonly hangAt?: string;
  /** As in `WorkerSettings`; a second unless given. */
  readonly deadAfterMs?: number;
}

const options = JSON.parse(process.argv[2] ?? '{}') as WorkerProcessOptions;
const at = async (point: string, node: string) => {
  const place = `${point} ${node}`;
  if (place === options.killAt) process.kill(process.pid, 'SIGKILL');
  if (place !== options.hangAt) return;
  process.stdout.write(`at ${place}\n`);
  await new Promise(() => {});
};
const log = (line: string) => process.stderr.write(`${line}\n`);
const { database, effects, name, deadAfterMs = 1_000 } = options;
const runs = await openTestRuns(database, effects, { name, deadAfterMs, at, log });
process.stdout.write('ready\n');
new Socket({ fd: 3 }).resume().on('end', () => void runs.close().then(() => process.exit(0)));
