import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { ResolverKind } from '../resolve/root.ts';
import { makeScratch, type Scratch } from '../testing.ts';
// Loaded before this file replaces what a thread gets from its parent.
import './run-search.ts';
import './thread-place.ts';
import type { SearchRequest } from './search-request.ts';
import { grepFor, WHOLE } from './testing-requests.ts';
import type { WorkerAnswer } from './worker-messages.ts';

/** The program of a thread, run in this one: it gets a port of its own and no native library. */
const { port1: mine, port2: its } = new MessageChannel();
const flag = new SharedArrayBuffer(4);
let first: unknown;
beforeAll(async () => {
  vi.doMock('node:worker_threads', () => ({ parentPort: its, workerData: { flag, nativeFile: undefined } }));
  const message = new Promise((resolve) => mine.once('message', resolve));
  await import('./worker.ts');
  first = await message;
});
afterAll(() => {
  for (const port of [mine, its] satisfies MessagePort[]) port.close();
});

let scratch: Scratch;
beforeEach(() => {
  scratch = makeScratch(['a.txt = hit', 'b.txt = hit']);
});
afterEach(() => scratch.remove());

const names: SearchRequest = { kind: 'glob', scope: WHOLE, pattern: '*', braces: false };

let id = 0;
interface Job {
  readonly path?: string;
  readonly ino?: number;
  readonly resolver?: ResolverKind;
  readonly stopped?: boolean;
}

/** The messages of the thread about one job; the last is its end. */
function answersTo(request: SearchRequest, job: Job = {}): Promise<WorkerAnswer[]> {
  const { path = scratch.workspace, resolver = 'walk' } = job;
  const stat = statSync(path);
  id++;
  const answers: WorkerAnswer[] = [];
  Atomics.store(new Int32Array(flag), 0, job.stopped ? id : 0);
  mine.postMessage({ id, root: { path, dev: stat.dev, ino: job.ino ?? stat.ino, resolver }, request });
  return new Promise((resolve) => {
    const note = (answer: WorkerAnswer) => {
      answers.push(answer);
      if (answer.found || answer.progress !== undefined) return;
      mine.off('message', note);
      resolve(answers);
    };
    mine.on('message', note);
  });
}
const endOf = async (request: SearchRequest, job?: Job) => (await answersTo(request, job)).at(-1);

const descriptors = () => readdirSync('/proc/self/fd').length;

it('says that it started, and then answers each job under its id', async () => {
  expect(first).toBe('started');
  expect(await endOf(names)).toEqual({ id, outcome: expect.objectContaining({ matches: ['a.txt', 'b.txt'] }) });
});

it.each<ResolverKind>(['openat2', 'walk', 'portable'])(
  'searches below the root it opened, resolver %s',
  async (resolver) => {
    expect((await endOf(grepFor('^h.t$'), { resolver }))?.outcome).toMatchObject({ matches: { length: 2 } });
  },
);

it('runs a pattern that needs it with the linear engine', async () => {
  expect((await endOf(grepFor('(h|hi){20,}t|(h+i+){1,20}t$')))?.outcome).toMatchObject({ matches: { length: 2 } });
});

it('stops a job whose id is in the flag, and no other', async () => {
  expect((await endOf(names, { stopped: true }))?.outcome).toMatchObject({ matches: [] });
  expect((await endOf(names))?.outcome).toMatchObject({ matches: { length: 2 } });
});

it('tells no detail of an unexpected failure', async () => {
  const broken = { ...names, scope: { ...WHOLE, ignoreNames: 7 as never } };
  expect(await endOf(broken)).toEqual({ id, error: { code: 'io', message: 'The search failed' } });
});

it('says that the root moved, and holds no descriptor of the other directory', async () => {
  const before = descriptors();
  expect(await endOf(names, { ino: 1 })).toEqual({ id, moved: true });
  expect(descriptors()).toBe(before);
});

it('opens a root again that was replaced, and closes the old one', async () => {
  await endOf(names);
  const before = descriptors();
  renameSync(scratch.workspace, `${scratch.workspace}-old`);
  mkdirSync(join(scratch.workspace, 'new'), { recursive: true });
  expect((await endOf(names))?.outcome).toMatchObject({ matches: ['new'] });
  expect(descriptors()).toBe(before);
});

it('holds the 64 roots that it used last', async () => {
  const root = (n: number) => join(scratch.workspace, `u${n}`);
  for (let n = 0; n < 64; n++) {
    mkdirSync(root(n));
    await endOf(names, { path: root(n) });
  }
  const full = descriptors();
  await endOf(names, { path: root(0) });
  expect(descriptors()).toBe(full);
  mkdirSync(root(64));
  expect((await endOf(names, { path: root(64) }))?.outcome).toMatchObject({ matches: [] });
  expect(descriptors()).toBe(full);
  await endOf(names, { path: root(0) });
  expect(descriptors()).toBe(full);
});
