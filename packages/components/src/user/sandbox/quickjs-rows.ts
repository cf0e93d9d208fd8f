import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  Scope,
} from 'quickjs-emscripten-core';
import type { RowJob, RowOutcome } from './messages.ts';
import { PRELUDE } from './prelude.ts';
import { describe, lengthOf, textOf, type Thrown } from './thrown.ts';
import { type WasmModule, webAssembly } from './web-assembly.ts';

const PAGE_BYTES = 64 * 1024;
/** What QuickJS and its stack take before a component runs. */
const INITIAL_PAGES = 256;
const STACK_BYTES = 256 * 1024;
const MAX_LOG_CHARS = 1_000;
/** For the prelude, which takes less than a millisecond. */
const PREPARE_MS = 1_000;
/** Jobs of promises in a row before the clock is read. */
const JOBS_AT_ONCE = 200;

type Failed = Extract<RowOutcome, { ok: false }>;

/** A context in which no row ran, and the function that runs one. */
interface FreshContext {
  readonly scope: Scope;
  readonly context: QuickJSContext;
  readonly harness: QuickJSHandle;
}

/** One module of QuickJS with a memory of its own. Runs rows one after the other, each in a new context. */
export class QuickJsRows {
  readonly session: number;
  /** After a failure of the module itself, or with work left over: the next row needs a new module. */
  isSpent = false;
  readonly #runtime: QuickJSRuntime;
  readonly #library: string;
  #fresh: FreshContext | undefined;
  /** The context of the last row. */
  #used: Scope | undefined;
  #deadline = 0;
  #isLate = false;

  private constructor(session: number, runtime: QuickJSRuntime, library: string) {
    this.session = session;
    this.#runtime = runtime;
    this.#library = library;
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => (this.#isLate ||= performance.now() > this.#deadline));
  }

  static async open(wasm: WasmModule, { session, limits, library }: RowJob): Promise<QuickJsRows> {
    // QuickJS's own limit does not count typed arrays: the maximum of the memory does.
    const maximum = Math.max(INITIAL_PAGES, Math.ceil(limits.memoryBytes / PAGE_BYTES));
    const wasmMemory = new webAssembly.Memory({ initial: INITIAL_PAGES, maximum });
    const module = await newQuickJSWASMModuleFromVariant(
      newVariant(variant as unknown as QuickJSSyncVariant, { wasmModule: wasm, wasmMemory } as object),
    );
    return new QuickJsRows(session, module.newRuntime(), library);
  }

  /** Frees the context of the last row and makes that of the next one. Call it between two rows. Never throws. */
  prepare(): void {
    if (this.isSpent) return;
    this.#startClock(PREPARE_MS);
    try {
      this.#used?.dispose();
      this.#used = undefined;
      // Jobs that the freed context left must not run in the next one.
      if (this.#runtime.hasPendingJob()) this.isSpent = true;
      else this.#fresh ??= this.#freshContext();
    } catch {
      this.isSpent = true;
    }
  }

  #startClock(timeMs: number): void {
    this.#deadline = performance.now() + timeMs;
    this.#isLate = false;
  }

  #freshContext(): FreshContext {
    const scope = new Scope();
    const context = scope.manage(this.#runtime.newContext());
    const harness = context.evalCode(PRELUDE, 'croft', { type: 'global' });
    if (this.#library !== '') context.unwrapResult(context.evalCode(this.#library, 'croft')).dispose();
    return { scope, context, harness: scope.manage(context.unwrapResult(harness)) };
  }

  /** Runs one row. Never throws. */
  run(job: RowJob): RowOutcome {
    const logs: string[] = [];
    this.prepare();
    const fresh = this.#fresh;
    this.#fresh = undefined;
    if (fresh === undefined) return memoryFailure(logs);
    this.#used = fresh.scope;
    this.#startClock(job.limits.timeMs);
    try {
      const outcome = this.#runIn(fresh, job, logs);
      if ((!outcome.ok && outcome.reason !== 'thrown') || this.#runtime.hasPendingJob()) this.isSpent = true;
      return outcome;
    } catch {
      // The memory is full, or QuickJS gave up: the module is not used again.
      this.isSpent = true;
      return this.#isLate ? late(job, logs) : memoryFailure(logs);
    }
  }

  #runIn({ context, scope, harness }: FreshContext, job: RowJob, logs: string[]): RowOutcome {
    const manage = (each: Settled): Settled => {
      if ('value' in each) scope.manage(each.value);
      return each;
    };
    // A module is strict, and its class is found whether it is exported or not.
    const source = `${job.js}\nexport { ${job.className} as $component };`;
    const loaded = manage(valueOf(context, context.evalCode(source, `${job.className}.ts`, { type: 'module' })));
    if ('failure' in loaded) return this.#failed(job, loaded.failure, logs);
    const namespace = this.#settle(context, scope, loaded.value);
    if (namespace === undefined) return this.#unsettled(job, logs);
    if ('failure' in namespace) return this.#failed(job, namespace.failure, logs);
    const log = context.newFunction('log', (line) => {
      if (logs.length < job.limits.logLines) logs.push(textOf(context, line, MAX_LOG_CHARS));
    });
    const given = [
      context.getProp(namespace.value, '$component'),
      context.newString(job.inputs),
      context.newString(JSON.stringify(job.outputs)),
      log,
    ].map((each) => scope.manage(each));
    const promise = manage(valueOf(context, context.callFunction(harness, context.undefined, ...given)));
    if ('failure' in promise) return this.#failed(job, promise.failure, logs);
    const result = this.#settle(context, scope, promise.value);
    if (result === undefined) return this.#unsettled(job, logs);
    if ('failure' in result) return this.#failed(job, result.failure, logs);
    return outcomeOf(context, result.value, job, logs);
  }

  /** The value of a promise, or of anything else; undefined where nothing settles it, or the time is up. */
  #settle(context: QuickJSContext, scope: Scope, handle: QuickJSHandle): Settled | undefined {
    for (;;) {
      const state = context.getPromiseState(handle);
      if (state.type === 'fulfilled') return { value: state.notAPromise ? state.value : scope.manage(state.value) };
      if (state.type === 'rejected') return { failure: describe(context, state.error) };
      if (performance.now() > this.#deadline) this.#isLate = true;
      if (this.#isLate || !this.#runtime.hasPendingJob()) return undefined;
      const done = this.#runtime.executePendingJobs(JOBS_AT_ONCE);
      done.dispose();
    }
  }

  #unsettled(job: RowJob, logs: readonly string[]): Failed {
    if (this.#isLate) return late(job, logs);
    const message = 'The component waits for a promise that nothing settles.';
    return { ok: false, reason: 'result', message, line: 0, logs };
  }

  #failed(job: RowJob, thrown: Thrown, logs: readonly string[]): Failed {
    return this.#isLate ? late(job, logs) : failureOf(thrown, job, logs);
  }
}

function late({ limits }: RowJob, logs: readonly string[]): Failed {
  return { ok: false, reason: 'time', message: timeMessage(limits.timeMs), line: 0, logs };
}

export const timeMessage = (timeMs: number): string =>
  `The component did not end within ${timeMs} ms. Check its loops and regular expressions.`;

type Settled = { readonly value: QuickJSHandle } | { readonly failure: Thrown };

function valueOf(context: QuickJSContext, result: ReturnType<QuickJSContext['evalCode']>): Settled {
  return result.error ? { failure: describe(context, result.error) } : { value: result.value };
}

function outcomeOf(context: QuickJSContext, given: QuickJSHandle, { limits }: RowJob, logs: string[]): RowOutcome {
  const wrong = (message: string) => ({ ok: false, reason: 'result', message, line: 0, logs }) as const;
  const kind = context.typeof(given);
  if (kind === 'undefined') return wrong('The component gave no value.');
  // Before the text is copied to the host.
  if (kind !== 'string' || lengthOf(context, given) > limits.resultChars)
    return wrong(`The outputs are larger than ${limits.resultChars} characters as JSON.`);
  const outputs = context.getString(given);
  // As the key of a copied object it would change a prototype of the host.
  if (outputs.includes('"__proto__":')) return wrong("The outputs have the key '__proto__'.");
  return { ok: true, outputs, logs };
}

function failureOf({ name, message, stack, fix }: Thrown, job: RowJob, logs: readonly string[]): Failed {
  if (name === 'InternalError' && /out of memory/.test(message)) return memoryFailure(logs);
  const line = lineIn(stack, job);
  const said = [name === 'Error' || name === 'ComponentError' ? '' : name, message]
    .filter((each) => each !== '')
    .join(': ');
  return {
    ok: false,
    reason: 'thrown',
    message: said || 'The component threw a value that is not an error.',
    line,
    ...(name === 'ComponentError' && fix !== '' && { fix }),
    logs,
  };
}

function memoryFailure(logs: readonly string[]): Failed {
  const message = 'The component needs more memory than it may have.';
  return { ok: false, reason: 'memory', message, line: 0, logs };
}

/** The first line of the source in a stack. The component can write its own stack: the number is all that is taken. */
function lineIn(stack: string, { className, js }: RowJob): number {
  const at = stack.indexOf(`${className}.ts:`);
  const line = at < 0 ? 0 : Number.parseInt(stack.slice(at + className.length + 4, at + className.length + 12), 10);
  return line > 0 && line <= js.split('\n').length ? line : 0;
}
