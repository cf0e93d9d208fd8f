import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import type { SandboxAnswer, SandboxData, SandboxHail, SandboxJob } from './sandbox/messages.ts';
import { ThreadClock } from './sandbox/thread-clock.ts';
import { type WasmModule, webAssembly } from './sandbox/web-assembly.ts';

/** Why a job of the sandbox has no answer. */
export class SandboxFailure extends Error {
  readonly reason: 'time' | 'memory' | 'ended';

  constructor(reason: 'time' | 'memory' | 'ended') {
    super(`The sandbox ended: ${reason}.`);
    this.reason = reason;
  }
}

/** Heap of the thread's own program: readers of hostile code need some, and code that runs in QuickJS does not use it. */
const HEAP_MB = 192;
/** For loading programs and making a module, before a job begins. */
const LOAD_MS = 30_000;

type Unsent = SandboxJob extends infer Job ? (Job extends SandboxJob ? Omit<Job, 'id'> : never) : never;

/** A thread with at most one job. */
export class SandboxThread {
  readonly #worker: Worker;
  /** Which thread of the process it is; undefined where that is not known, or it ended before. */
  readonly #task: Promise<string | undefined>;
  #isGone = false;
  #isOutOfMemory = false;
  #nextId = 1;

  private constructor(wasm: WasmModule) {
    this.#worker = new Worker(workerFile(), {
      workerData: { wasm } satisfies SandboxData,
      env: {},
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#worker.unref();
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      this.#isGone = true;
      this.#isOutOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    });
    this.#worker.on('exit', () => {
      this.#isGone = true;
    });
    this.#task = new Promise((resolve) => {
      this.#worker.once('message', ({ task }: SandboxHail) => resolve(task)).once('exit', () => resolve(undefined));
    });
  }

  static async start(): Promise<SandboxThread> {
    return new SandboxThread(await quickJs());
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /**
   * Sends a job and waits for its answer. A thread that does not answer within `limitMs` after it began, or whose caller does
   * not wait any more, is ended. The time of a search is that of {@link ThreadClock}.
   *
   * @throws SandboxFailure; what `signal` was aborted with
   */
  async ask(unsent: Unsent, limitMs: number, signal?: AbortSignal): Promise<SandboxAnswer> {
    const task = await this.#task;
    signal?.throwIfAborted();
    const id = this.#nextId++;
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        worker.off('message', onMessage).off('exit', onExit);
        worker.unref();
        settle();
      };
      const fail = (error: unknown) => {
        void this.end();
        finish(() => reject(error as Error));
      };
      const onMessage = (answer: SandboxAnswer) => {
        if (answer.id !== id) return;
        if ('begun' in answer) startTimer(limitMs);
        else finish(() => resolve(answer));
      };
      const onExit = () => fail(new SandboxFailure(this.#isOutOfMemory ? 'memory' : 'ended'));
      const onAbort = () => fail(signal?.reason);
      const startTimer = (ms: number) => {
        clearTimeout(timer);
        // Searches are short; code of users has limits of seconds, and the thread of rows a deadline of its own.
        const clock = new ThreadClock(ms, unsent.kind === 'search' ? task : undefined);
        const check = () => {
          const left = clock.leftMs();
          if (left > 0) timer = setTimeout(check, left);
          else fail(new SandboxFailure('time'));
        };
        check();
      };
      startTimer(unsent.kind === 'row' && unsent.isOpen ? limitMs : LOAD_MS);
      signal?.addEventListener('abort', onAbort, { once: true });
      worker.on('message', onMessage).on('exit', onExit);
      worker.ref();
      if (this.#isGone) onExit();
      else worker.postMessage({ ...unsent, id });
    });
  }

  /** Ends the thread, whatever it is doing. */
  async end(): Promise<void> {
    this.#isGone = true;
    await this.#worker.terminate();
  }
}

let compiled: Promise<WasmModule> | undefined;

/** QuickJS, compiled once: each module that runs code has a memory of its own. */
function quickJs(): Promise<WasmModule> {
  compiled ??= webAssembly.compile(quickJsBytes());
  return compiled;
}

function quickJsBytes(): Uint8Array {
  const packed = new URL('./quickjs.wasm.br', import.meta.url);
  if (existsSync(packed)) return brotliDecompressSync(readFileSync(packed));
  const require = createRequire(import.meta.url);
  return readFileSync(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
}

/** The thread's own file: beside this one when built, beside the bundle when bundled. */
function workerFile(): URL {
  for (const name of ['./sandbox/worker.js', './sandbox-worker.cjs', '../../dist/user/sandbox/worker.js']) {
    const url = new URL(name, import.meta.url);
    if (existsSync(url)) return url;
  }
  throw new Error('The program of the sandbox is missing. Build or install Croft again.');
}
