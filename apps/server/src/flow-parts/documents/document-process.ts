import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ComponentError } from '@croft/components';
import { createRunSlots } from '../../flow-runs/run-slots.ts';
import { type DocumentAnswer, type DocumentJob, packMessage, unpackMessage } from './document-job.ts';

/** Limits of one document. */
export interface DocumentLimits {
  readonly timeoutMs: number;
  /** Of the heap of JavaScript, and three times of it of all memory. Linux enforces the second one. */
  readonly heapMiB: number;
  readonly maxAnswerBytes: number;
}

export const DOCUMENT_LIMITS: DocumentLimits = {
  timeoutMs: 60_000,
  heapMiB: 256,
  maxAnswerBytes: 64 * 1024 * 1024,
};

const TOO_MUCH = 'Use a smaller document, or split it.';

/** Processes for documents at once in this process; others wait. Users take turns, and none has all of them. */
const slots = createRunSlots({
  ofUser: 1,
  ofServer: 2,
  waitingOfUser: Infinity,
  waitingBytes: { ofUser: Infinity, ofServer: Infinity },
});

export interface DocumentJobOptions {
  readonly signal: AbortSignal;
  readonly limits?: DocumentLimits;
  /** Without a user, as on the command line, each job counts as that of another one. */
  readonly user?: string | undefined;
}

/**
 * Reads or writes one document in a process of its own, which ends with its job, its time, its memory or the signal.
 *
 * @param load gives the document when its turn has come
 * @throws what `load` throws; ComponentError where the document is at fault or needs too much; the reason of the signal
 */
export async function runDocumentJob(
  job: DocumentJob,
  load: () => Promise<Uint8Array>,
  { signal, limits = DOCUMENT_LIMITS, user = randomUUID() }: DocumentJobOptions,
): Promise<{ readonly answer: Exclude<DocumentAnswer, { kind: 'failed' }>; readonly bytes: Buffer }> {
  const release = await slots.take(user, 0, signal);
  try {
    // Only now: a flow may read many documents at once, and each that waits would be in memory.
    const bytes = await load();
    signal.throwIfAborted();
    const packed = await answerOf(startChild(limits), packMessage(job, bytes), signal, limits);
    const { message, bytes: answered } = unpackMessage(packed);
    const answer = message as DocumentAnswer;
    if (answer.kind === 'failed') throw new ComponentError(answer.message, answer.fix);
    return { answer, bytes: answered };
  } finally {
    release();
  }
}

/** Without variables of the environment: they hold keys. */
function startChild({ heapMiB, timeoutMs }: DocumentLimits): ChildProcess {
  const args = [`--max-old-space-size=${heapMiB}`, '--no-warnings', ...sandboxFlags(), childFile()];
  const options = { env: {}, stdio: ['pipe', 'pipe', 'ignore'] as const, windowsHide: true };
  if (process.platform !== 'linux' || !existsSync('/bin/sh'))
    return spawn(process.execPath, args, { ...options, stdio: [...options.stdio] });
  // The heap does not hold the bytes that a library unpacks: only a limit of the whole process bounds them.
  const limit = `ulimit -d ${heapMiB * 3 * 1024} && ulimit -t ${Math.ceil(timeoutMs / 500)} && ulimit -c 0 && exec "$0" "$@"`;
  return spawn('/bin/sh', ['-c', limit, process.execPath, ...args], { ...options, stdio: [...options.stdio] });
}

/** The process writes no files and starts no others. Node 20 and later versions have different names for the flag. */
function sandboxFlags(): readonly string[] {
  const known = process.allowedNodeEnvironmentFlags;
  const flag = ['--permission', '--experimental-permission'].find((each) => known.has(each));
  return flag === undefined ? [] : [flag, '--allow-fs-read=*'];
}

/** Beside this file where it is compiled; the compiled one where this file is a source. */
function childFile(): string {
  const beside = fileURLToPath(new URL('./child.js', import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL('../../../dist/flow-parts/documents/child.js', import.meta.url));
}

function answerOf(
  child: ChildProcess,
  input: Buffer,
  signal: AbortSignal,
  { timeoutMs, maxAnswerBytes }: DocumentLimits,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = (reason: unknown) => {
      child.kill('SIGKILL');
      reject(reason as Error);
    };
    const onAbort = () => stop(signal.reason);
    const timer = setTimeout(
      () => stop(new ComponentError(`It takes longer than ${timeoutMs / 1_000} s.`, TOO_MUCH)),
      timeoutMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > maxAnswerBytes) stop(new ComponentError('Its text is too long.', TOO_MUCH));
    });
    child.on('error', () => stop(new ComponentError('The process for documents could not start.', 'Try again.')));
    child.on('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (code === 0 && bytes > 4) resolve(Buffer.concat(chunks));
      else reject(new ComponentError('It needs more memory or time than a document may use.', TOO_MUCH));
    });
    // A process that ended early does not read the rest.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
