import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import { createLog } from '../log.ts';
import { openDatabase } from '../store/database.ts';
import { askMachines } from './ask-machine.ts';
import { composeWorker, type RunningWorker } from './compose-worker.ts';
import type { FromRunThread, RunThreadData, ToRunThread } from './run-thread-messages.ts';

/** Added to the nice value of the server. */
const NICER = 10;
const NICEST = 19;

if (parentPort === null) throw new Error('This program runs in a thread of the server.');
const port = parentPort;
const send = (message: FromRunThread): void => port.postMessage(message);
// Requests come first. On Linux 0 means this thread and the threads that it starts; elsewhere it means the whole process.
if (process.platform === 'linux') setPriority(0, Math.min(NICEST, getPriority(0) + NICER));

const { settings, ...data } = workerData as RunThreadData;
const log = createLog(settings.logLevel, (line) => send({ kind: 'log', line }), false);
const machines = askMachines(send);
let worker: RunningWorker | undefined;

function open(connection: pg.ClientConfig): void {
  worker ??= composeWorker({
    ...data,
    settings,
    log,
    database: openDatabase({ connection, log: (line) => log.warn({ from: 'database' }, line) }),
    onFilesChange: (userId) => send({ kind: 'files', userId }),
    machineTools: machines.machineTools,
  });
  // A failure ends the thread, which the server starts again.
  void worker.ready.then(() => send({ kind: 'ready' }));
}

async function stop(): Promise<void> {
  // A thread that ends while it loads native code ends the process.
  await worker?.ready.catch(() => {});
  await worker?.close();
  process.exit(0);
}

port.on('message', (message: ToRunThread) => {
  if (message.kind === 'open') open(message.connection);
  else if (message.kind === 'stop') void stop();
  else if (message.kind === 'files') worker?.filesChanged(message.userId);
  else machines.receive(message);
});
