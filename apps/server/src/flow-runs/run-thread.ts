import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { answerMachine } from './answer-machine.ts';
import type { RunServiceOptions } from './run-services.ts';
import type { FromRunThread, MachineQuestion, RunThreadData, ToRunThread } from './run-thread-messages.ts';

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 30_000;
/** After running this long, the next failure counts as the first again. */
const STEADY_MS = 60_000;
/** How long a thread may take to hand its runs over. */
const STOP_MS = 8_000;

/** The thread of a server that runs queued runs, so that they do not delay requests. */
export interface RunThread {
  /** Starts the thread, unless it runs: loading its program takes a while. It is started again when it ends by itself. */
  load(): void;
  /** Lets it take runs of this database, which has their tables. */
  open(connection: pg.ClientConfig): void;
  /** Files of a user changed in this thread; of all users if it is undefined. */
  filesChanged(userId: string | undefined): void;
  /** Waits until the thread has handed its runs to the next start, or to another worker. */
  stop(): Promise<void>;
}

export interface RunThreadOptions extends RunThreadData {
  readonly log: Log;
  /** Called after each change of a run; `undefined` for the files all users share. */
  readonly onFilesChange: (userId: string | undefined) => void;
  readonly machineTools: NonNullable<RunServiceOptions['machineTools']>;
  /** The program of the thread. Tests run their own. */
  readonly program?: URL;
}

export function createRunThread(options: RunThreadOptions): RunThread {
  const { log, program = programFile(), quotaLedgers, secretKeys, settings, workerGroup, workerName } = options;
  const data = { quotaLedgers, secretKeys, settings, workerGroup, workerName };
  const stopping = new AbortController();
  let current: Worker | undefined;
  let running: Promise<void> | undefined;
  let database: pg.ClientConfig | undefined;
  const sendDatabase = () => {
    if (database) current?.postMessage({ kind: 'open', connection: database } satisfies ToRunThread);
  };
  const keepUp = async () => {
    let backoffMs = FIRST_BACKOFF_MS;
    while (!stopping.signal.aborted) {
      const since = Date.now();
      current = new Worker(program, {
        workerData: data satisfies RunThreadData,
        // Flags of this process, such as `--inspect`, are not those of the thread.
        execArgv: [],
        // Workspaces open descriptors by system calls, and close them themselves.
        trackUnmanagedFds: false,
      });
      sendDatabase();
      const ended = endOf(current);
      serve(current, options);
      const failure = await ended;
      current = undefined;
      if (stopping.signal.aborted) return;
      log.error({ err: failure }, 'the thread of queued runs ended; it is started again, and continues its runs');
      backoffMs = Date.now() - since > STEADY_MS ? FIRST_BACKOFF_MS : Math.min(backoffMs * 2, MAX_BACKOFF_MS);
      await sleep(backoffMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const load = () => {
    running ??= keepUp();
  };
  return {
    load,
    open(connection) {
      database = connection;
      if (running === undefined) load();
      else sendDatabase();
    },
    filesChanged(userId) {
      current?.postMessage({ kind: 'files', userId } satisfies ToRunThread);
    },
    async stop() {
      stopping.abort();
      current?.postMessage({ kind: 'stop' } satisfies ToRunThread);
      await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** Fulfilled when the thread has ended, with the error that ended it. */
function endOf(thread: Worker): Promise<Error | undefined> {
  return new Promise((resolve) => {
    let failure: Error | undefined;
    thread.on('error', (error) => {
      failure = error;
    });
    thread.once('exit', () => resolve(failure));
  });
}

/** Answers the thread, and passes its log and its changes on. */
function serve(
  thread: Worker,
  { log, onFilesChange, machineTools }: Pick<RunThreadOptions, 'log' | 'onFilesChange' | 'machineTools'>,
): void {
  const open = new Map<number, AbortController>();
  const send = (message: ToRunThread) => thread.postMessage(message);
  const answer = async (question: MachineQuestion) => {
    const { id } = question;
    const ending = new AbortController();
    open.set(id, ending);
    try {
      send({ kind: 'answer', id, answer: await answerMachine(machineTools, question, ending.signal) });
    } catch (error) {
      log.error({ err: error }, 'tools of a machine could not be used by a queued run');
      send({ kind: 'failed', id, message: 'The tools of the machine cannot be used. See the log of the server.' });
    } finally {
      open.delete(id);
    }
  };
  thread.on('message', (message: FromRunThread) => {
    if (message.kind === 'log') passOn(log, message.line);
    else if (message.kind === 'files') onFilesChange(message.userId);
    else if (message.kind === 'cancel') open.get(message.id)?.abort();
    else if (message.kind !== 'ready') void answer(message);
  });
  thread.once('exit', () => {
    for (const each of open.values()) each.abort();
  });
}

/** An entry of the thread's own log: the serializer of `err` has copied its safe fields there. */
function passOn(log: Log, line: string): void {
  const { level, time: _, msg, err, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const name = level as 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  log[name]({ ...facts, ...(err !== undefined && { failure: err }) }, String(msg));
}

/** Beside this file when built. */
function programFile(): URL {
  const names = ['./run-thread-program.js', '../../dist/flow-runs/run-thread-program.js'];
  const found = names.map((name) => new URL(name, import.meta.url)).find((url) => existsSync(url));
  if (found === undefined) throw new Error('The program of queued runs is missing from this installation.');
  return found;
}
