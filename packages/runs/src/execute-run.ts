import { createDurableLog, type LogEntry } from '@croft/event-log';
import {
  type ComponentRegistry,
  type FlowDocument,
  type RunEvent,
  runFlow,
  type RunResult,
  type StoredOutputs,
} from '@croft/flow';
import type { ActiveAttempt } from './active-attempt.ts';
import type { Engine, RunStep } from './engine.ts';
import { eventStore, LostRun } from './event-store.ts';
import { rememberOnce } from './memo.ts';
import { isOutage, throughOutage } from './outage.ts';
import { askOnce, type Asking } from './questions.ts';
import type { RepeatPolicy, StepFacts } from './repeat-policy.ts';
import { readToEnd } from './read-to-end.ts';
import { readReplay } from './replay.ts';
import type { Answer, DurableRunEvent } from './run.ts';
import { failedOutcome, type Outcome } from './run-outcome.ts';
import { type ClaimedRun, HAS_NEW_ANSWER, type RunStore } from './run-store.ts';
import { durableSteps, readEarlier, UndecidedStep } from './steps.ts';
import { WaitWatch } from './wait-watch.ts';

/** The run for which the app builds services. */
export interface RunContext {
  readonly runId: string;
  readonly userId: string;
  readonly flowId: string | null;
  /** As in the request of the run. */
  readonly source: string;
  readonly key: string | undefined;
  /** The snapshot that runs. */
  readonly flow: FlowDocument;
  /** Values for its nodes. */
  readonly inputs: ClaimedRun['inputs'];
  /** Aborted when the run is stopped, for any reason. */
  readonly signal: AbortSignal;
  /**
   * Asks a person. Resolves with the answer, which may take days: until then the run needs no worker, and its later attempt
   * asks again and gets the answer.
   */
  ask(question: Asking): Promise<Answer>;
  /** Gives the value that the first call with this key made, also in later attempts. The value is JSON. */
  remember<Value>(key: string, make: () => Value): Promise<Value>;
}

/** The services of one run. */
export interface RunServices<Services> {
  readonly services: Services;
  /** Components for this run, in place of those of the worker. */
  readonly registry?: ComponentRegistry<Services>;
  /** Outputs of earlier runs, for frozen components. */
  readonly stored?: StoredOutputs | undefined;
  /** Texts that nothing stored may contain: the values behind the names of secrets. */
  readonly secrets?: ReadonlySet<string>;
  /**
   * Called with the result of a run that ends, before readers see the end. An attempt that is killed after it calls it
   * again.
   */
  finished?(result: RunResult): Promise<void>;
  /** Called when the attempt ends. */
  close?(): void | Promise<void>;
}

export interface ExecuteOptions<Services> {
  readonly executor: string;
  readonly store: RunStore;
  readonly engine: Engine;
  readonly registry: ComponentRegistry<Services>;
  services(context: RunContext): RunServices<Services> | Promise<RunServices<Services>>;
  policy(facts: StepFacts): RepeatPolicy;
  log(line: string): void;
}

/** Runs one attempt of a run to its end, its wait, or its stop. Throws only what its database throws. */
export async function executeRun<Services>(
  options: ExecuteOptions<Services>,
  active: ActiveAttempt,
  runStep: RunStep,
): Promise<void> {
  const { store, engine, executor } = options;
  const { attempt } = active;
  const row = await store.claim(attempt, executor);
  if (row === undefined) return;
  let claimed: ClaimedRun;
  try {
    claimed = await store.read(row);
  } catch (error) {
    // The reaper queues the next attempt, a limited number of times: another worker may have the key.
    const reason = error instanceof Error ? error.message : String(error);
    options.log(`Run ${attempt.runId} cannot be read: ${reason}`);
    await store.noteFailure(attempt, { message: `The stored run cannot be read. ${reason}` });
    return;
  }
  try {
    const outcome = await runClaimed(options, active, claimed, runStep);
    if (outcome !== undefined) await throughOutage(() => store.finish(attempt, outcome), active.signal);
    else if (active.reason === 'moved')
      await store.continueRun(engine, attempt.runId, 'running', `attempt = ${attempt.attempt}`);
    else if (active.reason === 'waiting') {
      await store.leave(attempt, 'waiting');
      // An answer that came while the run was leaving found it running, and did not continue it.
      await store.continueRun(engine, attempt.runId, 'waiting', HAS_NEW_ANSWER);
    } else if (active.reason === 'needs_attention') await store.leave(attempt, 'needs_attention', active.undecided);
  } catch (error) {
    if (error instanceof LostRun) return;
    // The reaper finds a run that is `running` here and has no attempt under way, and queues the next one.
    if (isOutage(error)) return options.log(`Run ${attempt.runId} was interrupted: the database was away.`);
    options.log(`Run ${attempt.runId} stopped: ${error instanceof Error ? error.message : String(error)}`);
    await store.finish(
      attempt,
      failedOutcome(claimed, 'The run could not be started or stored. See the log of the server.'),
    );
  }
}

/** Undefined where the run does not end with this attempt. */
async function runClaimed<Services>(
  options: ExecuteOptions<Services>,
  active: ActiveAttempt,
  claimed: ClaimedRun,
  runStep: RunStep,
): Promise<Outcome | undefined> {
  const { engine } = options;
  const { attempt } = active;
  const { pool, sealer } = options.store;
  const [earlier, replay] = await throughOutage(
    () => Promise.all([readEarlier(pool, engine, attempt), readReplay(eventStore(pool, sealer), attempt)]),
    active.signal,
  );
  const log = createDurableLog({
    name: attempt.runId,
    store: eventStore(pool, sealer, attempt),
    newest: replay.newest,
    fold: foldTokens,
  });
  const store = () => throughOutage(() => log.flush(), active.signal);
  const emit = (event: DurableRunEvent): Promise<void> | undefined => {
    const stamped = event.kind === 'node_started' ? { ...event, at: Date.now() } : event;
    const room = log.append({ data: JSON.stringify(stamped) });
    if (!(room instanceof Promise)) return undefined;
    return room.catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      return store();
    });
  };
  const waits = new WaitWatch(() => active.stop('waiting'));
  const context: RunContext = {
    runId: attempt.runId,
    userId: claimed.userId,
    flowId: claimed.flowId,
    source: claimed.source,
    key: claimed.key,
    flow: claimed.flow,
    inputs: claimed.inputs,
    signal: active.signal,
    ask: async (question) =>
      (await throughOutage(() => askOnce(pool, sealer, attempt.runId, question, built.secrets), active.signal)) ??
      waits.wait(question.key, active.signal),
    remember: (key, make) => throughOutage(() => rememberOnce(pool, sealer, attempt, key, make), active.signal),
  };
  const built = await options.services(context);
  const registry = built.registry ?? options.registry;
  try {
    if (attempt.attempt > 1) await emit({ kind: 'run_resumed', attempt: attempt.attempt });
    const steps = durableSteps({
      pool,
      attempt,
      flow: claimed.flow,
      registry,
      earlier,
      runStep,
      signal: active.signal,
      policy: options.policy,
      onRepeated: (node, key) => void emit({ kind: 'step_repeated', node, key }),
    });
    const run = runFlow(claimed.flow, {
      registry,
      services: built.services,
      inputs: claimed.inputs,
      signal: active.signal,
      timeoutMs: claimed.timeoutMs,
      runId: attempt.runId,
      ...(built.stored && { stored: built.stored }),
      ...(built.secrets && { secrets: built.secrets }),
      async step(step) {
        try {
          return await steps(step);
        } catch (error) {
          if (error instanceof LostRun) active.stop('lost');
          if (error instanceof UndecidedStep && !active.signal.aborted) {
            await emit({ kind: 'run_needs_attention', node: step.node, key: error.key, message: error.message });
            active.undecided = error.key;
            active.stop('needs_attention');
          }
          throw error;
        }
      },
    });
    return await readToEnd(run, { ...options, active, claimed, replay, built, waits, emit, store });
  } finally {
    log.close();
    await built.close?.();
  }
}

/** Tokens of one node become one event. */
function foldTokens(last: LogEntry, next: LogEntry): LogEntry | undefined {
  if (!last.data.startsWith('{"kind":"token"') || !next.data.startsWith('{"kind":"token"')) return undefined;
  const [a, b] = [JSON.parse(last.data), JSON.parse(next.data)] as Extract<RunEvent, { kind: 'token' }>[];
  if (a === undefined || b === undefined || a.node !== b.node || a.path !== b.path) return undefined;
  return { data: JSON.stringify({ ...a, text: a.text + b.text }) };
}
