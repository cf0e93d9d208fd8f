import type { ComponentRegistry, Effect, FlowDocument, FlowNode, Outputs, Step, StepRunner } from '@croft/flow';
import { isPlain, nodesById } from '@croft/flow';
import type pg from 'pg';
import type { Attempt, Engine, RunStep } from './engine.ts';
import { LostRun } from './event-store.ts';
import { throughOutage } from './outage.ts';
import type { RepeatPolicy, StepFacts } from './repeat-policy.ts';
import { SCHEMA } from './tables.ts';

/** A recorded step. */
type Recorded =
  | { readonly kind: 'done'; readonly outputs: Outputs }
  /** Its outputs hold functions: it has no effect of its own, and runs again. */
  | { readonly kind: 'recompute' }
  | { readonly kind: 'failed'; readonly message: string; readonly fix?: string }
  /** The run was stopped meanwhile. Means nothing to the next attempt. */
  | { readonly kind: 'stopped' };

/** The recorded steps and begun steps of earlier attempts. */
export interface Earlier {
  readonly recorded: ReadonlyMap<string, unknown>;
  /** Steps that began, by key, with a person's decision if one was made. */
  readonly intents: ReadonlyMap<string, 'repeat' | 'skip' | null>;
}

/** Stops the run at a step whose effect may have happened or not. */
export class UndecidedStep extends Error {
  readonly key: string;

  constructor(key: string, type: string) {
    super(
      `A worker was lost while ${type} ran, and nothing tells whether its effect happened. Check, then decide: repeat it, or skip it.`,
    );
    this.name = 'UndecidedStep';
    this.key = key;
  }
}

/** Reads what the attempts before this one recorded. */
export async function readEarlier(pool: pg.Pool, engine: Engine, { runId, attempt }: Attempt): Promise<Earlier> {
  if (attempt === 1) return { recorded: new Map(), intents: new Map() };
  const numbers = Array.from({ length: attempt - 1 }, (_, index) => index + 1);
  const lists = await Promise.all(numbers.map((number) => engine.steps({ runId, attempt: number })));
  const recorded = new Map<string, unknown>();
  for (const steps of lists)
    for (const [key, result] of steps) if ((result as Recorded | null)?.kind !== 'stopped') recorded.set(key, result);
  const { rows } = await pool.query<{ key: string; decision: 'repeat' | 'skip' | null }>(
    `SELECT key, decision FROM ${SCHEMA}.intent WHERE run_id = $1 AND attempt < $2`,
    [runId, attempt],
  );
  return { recorded, intents: new Map(rows.map(({ key, decision }) => [key, decision])) };
}

export interface StepsOptions {
  readonly pool: pg.Pool;
  readonly attempt: Attempt;
  readonly flow: FlowDocument;
  readonly registry: ComponentRegistry<any>;
  readonly earlier: Earlier;
  readonly runStep: RunStep;
  readonly signal: AbortSignal;
  policy(facts: StepFacts): RepeatPolicy;
  /** Called before an interrupted step runs again. */
  onRepeated(node: string, key: string): void;
}

/**
 * Runs nodes with effects as recorded steps. A step that an earlier attempt completed gives its recorded outputs, and does
 * not run. Steps are found by key, not by order: parallel branches may come in another order each time.
 */
export function durableSteps(options: StepsOptions): StepRunner {
  const { pool, attempt, earlier, runStep, signal } = options;
  const nodes = nodesById(options.flow);
  const toolEffects = effectsOfTools(options.flow, nodes, options.registry);
  return async ({ key, node, type, effects, work }: Step) => {
    // The tools of a node are functions: giving them has no effect.
    if (nodes.get(node)?.toolMode === true) return work();
    const found = earlier.recorded.get(key) as Recorded | undefined;
    if (found?.kind === 'done') return found.outputs;
    if (found?.kind === 'failed') throw failureOf(found);
    const decision = earlier.intents.get(key);
    if (decision === 'skip') return {};
    const facts = { node, type, effects: [...(effects as readonly Effect[]), ...(toolEffects.get(node) ?? [])] };
    const policy = options.policy(facts);
    if (decision !== undefined && found === undefined) {
      if (policy === 'attention' && decision !== 'repeat') throw new UndecidedStep(key, type);
      if (policy !== 'safe') options.onRepeated(node, key);
    }
    let live: Outputs | undefined;
    const result = await runStep<Recorded>(key, async () => {
      if (policy !== 'safe') await throughOutage(() => announce(pool, attempt, key), signal);
      try {
        live = await work();
        return isPlain(live) ? { kind: 'done', outputs: live } : { kind: 'recompute' };
      } catch (error) {
        if (signal.aborted) return { kind: 'stopped' };
        const { message, fix } = error as { message?: unknown; fix?: unknown };
        return { kind: 'failed', message: String(message ?? error), ...(typeof fix === 'string' && { fix }) };
      }
    });
    if (result.kind === 'done') return result.outputs;
    if (result.kind === 'recompute') return live as Outputs;
    throw result.kind === 'failed' ? failureOf(result) : new Error('The run was stopped.');
  };
}

/** Notes that a step begins. Refuses where another worker has the run. */
async function announce(pool: pg.Pool, { runId, attempt }: Attempt, key: string): Promise<void> {
  const { rowCount } = await pool.query(
    `INSERT INTO ${SCHEMA}.intent (run_id, key, attempt)
     SELECT id, $3, $2 FROM ${SCHEMA}.run WHERE id = $1 AND attempt = $2 AND status = 'running'
     ON CONFLICT (run_id, key) DO UPDATE SET attempt = excluded.attempt, decision = NULL`,
    [runId, attempt, key],
  );
  if (rowCount !== 1) throw new LostRun();
}

function failureOf({ message, fix }: { message: string; fix?: string }): Error {
  return Object.assign(new Error(message), fix !== undefined && { fix });
}

/** For each node that takes tools, the effects of the nodes that it takes them from. */
function effectsOfTools(
  flow: FlowDocument,
  nodes: ReadonlyMap<string, FlowNode>,
  registry: ComponentRegistry<any>,
): ReadonlyMap<string, readonly Effect[]> {
  const found = new Map<string, Effect[]>();
  for (const { from, to } of flow.edges) {
    const source = nodes.get(from.node);
    if (source?.toolMode !== true) continue;
    const effects = registry.get(source.type)?.descriptor.effects ?? [];
    found.set(to.node, [...(found.get(to.node) ?? []), ...effects]);
  }
  return found;
}
