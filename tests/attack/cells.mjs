// The table: every operation under every flip. Each cell first runs its unprotected twin.
import { join } from 'node:path';
import { FLIPS, INSIDE, makeArena } from './arena.mjs';
import { BATCH, OPERATIONS } from './operations.mjs';
import { runPhase } from './phase.mjs';
import { makeTwins } from './twins.mjs';

/** Shares of calls that must succeed under attack. */
export const BARS = { reads: 0.5, mutations: 0.3, served: 1_000 };

export const RESOLVERS = ['openat2', 'walk'];

/** The size of a run. `quick` is for every commit and still sees every twin escape. */
export const PLANS = {
  full: {
    attempts: { read: 90_000, list: 90_000, tree: 60_000 },
    otherAttempts: 6_000,
    dotdotAttempts: 1_500,
    walkShare: 0.5,
    steps: 100,
    minServed: BARS.served,
    shareFactor: 1,
    twin: { attempts: 64 * 400, untilEscapes: 25, capMs: 20_000 },
    capMs: 90_000,
  },
  quick: {
    attempts: {},
    otherAttempts: 128,
    dotdotAttempts: 64,
    walkShare: 1,
    steps: 25,
    minServed: 32,
    // Few calls on a busy machine do not measure a share; the bar is for the full run.
    shareFactor: 0.5,
    twin: { attempts: 64 * 400, untilEscapes: 1, capMs: 10_000 },
    capMs: 10_000,
  },
};

/** All cells of one resolver, as sentences. */
export function listCells(resolvers = RESOLVERS) {
  return resolvers.flatMap((resolver) =>
    FLIPS.flatMap((flip) =>
      OPERATIONS.map((operation) => ({ resolver, flip, operation, name: cellName(resolver, flip, operation.name) })),
    ),
  );
}

export function cellName(resolver, flip, operation) {
  return `${operation} stays inside under the ${flip} flip (${resolver})`;
}

/** Further attempts for a cell without an escape: a busy machine can starve attacker or victim for a whole cell. */
const RERUNS = 2;

/** Runs a cell, and runs it again if a share or the twin is below its bar. An escape always fails. */
export async function runCell(cell, attacker, plan, openWorkspace) {
  let result;
  for (let run = 0; run <= RERUNS; run++) {
    const earlier = result;
    result = await runCellOnce(cell, attacker, plan, openWorkspace);
    if (earlier) {
      for (const key of ['attempts', 'served', 'flips', 'ms']) result[key] += earlier[key];
      result.share = Math.round((result.served / result.attempts) * 1000) / 1000;
    }
    result.runs = run + 1;
    if (result.problems.length === 0 || result.escapes > 0 || result.lost > 0) return result;
  }
  return result;
}

/** Runs the twin, then the workspace. Returns findings in `problems` instead of throwing. */
async function runCellOnce(cell, attacker, plan, openWorkspace) {
  const { operation, flip } = cell;
  const below = (i) => (i & 1 ? 'sub/' : '');
  const each = (make, place) =>
    Array.from({ length: BATCH }, (_, i) => (make?.(i) ?? []).map((path) => place(i) + path)).flat();
  const arena = makeArena(flip, {
    leaf: operation.leaf,
    extras: flip === 'leaf' ? [] : each(operation.extras, below),
    uses: each(operation.sources, () => ''),
    steps: plan.steps,
  });
  try {
    const twins = makeTwins(arena.root, flip !== 'dotdot');
    const twin = await runPhase(arena, attacker, { ...plan.twin, call: (at, i) => operation.twin(twins, at, i) });
    const guarded = await attackWorkspace(cell, arena, attacker, plan, openWorkspace);
    return { ...summary(cell, twin, guarded), problems: problemsOf(cell, twin, guarded, plan) };
  } finally {
    arena.remove();
  }
}

async function attackWorkspace({ operation, flip, resolver }, arena, attacker, plan, openWorkspace) {
  const wanted = flip === 'dotdot' ? plan.dotdotAttempts : (plan.attempts[operation.name] ?? plan.otherAttempts);
  const attempts = Math.ceil(wanted * (resolver === 'walk' ? plan.walkShare : 1));
  // Overwriting and deleting use different code with and without a trash. Batches alternate.
  const spaces = [
    openWorkspace(arena.root, { resolver }),
    openWorkspace(arena.root, {
      resolver,
      trashDir: join(arena.base, 'trash'),
      trashLimits: { maxBytes: 1 << 20, maxItems: 200 },
    }),
  ];
  const openBelow = (subPath) => openWorkspace(arena.root, { resolver, subPath });
  let calls = 0;
  try {
    return await runPhase(arena, attacker, {
      call: (at, i) => operation.call(spaces[Math.floor(calls++ / BATCH) % 2], at, i, openBelow),
      proof: operation.proof,
      mustShow: operation.mutates ? undefined : INSIDE,
      attempts,
      minServed: plan.minServed,
      capMs: plan.capMs,
    });
  } finally {
    for (const space of spaces) space.close();
  }
}

function summary({ operation, flip, resolver, name }, twin, guarded) {
  const share = guarded.served / Math.max(1, guarded.attempts);
  return {
    name,
    operation: operation.name,
    flip,
    resolver,
    attempts: guarded.attempts,
    served: guarded.served,
    share: Math.round(share * 1000) / 1000,
    escapes: guarded.escapes,
    lost: guarded.lost,
    flips: guarded.flips,
    ms: guarded.ms,
    refusals: guarded.refusals,
    twin: { attempts: twin.attempts, escapes: twin.escapes, example: twin.seen[0], refusals: twin.refusals },
  };
}

function problemsOf({ operation }, twin, guarded, plan) {
  const bar = (operation.mutates ? BARS.mutations : BARS.reads) * plan.shareFactor;
  const share = guarded.served / Math.max(1, guarded.attempts);
  const problems = [];
  if (twin.escapes === 0)
    problems.push(`not discriminating: the unprotected twin lost nothing in ${twin.attempts} calls`);
  if (guarded.served < plan.minServed)
    problems.push(`not discriminating: ${guarded.served} calls served, ${plan.minServed} needed`);
  if (guarded.escapes > 0) problems.push(`${guarded.escapes} ESCAPES: ${guarded.seen.join('; ')}`);
  if (guarded.lost > 0) problems.push(`${guarded.lost} served calls left nothing inside`);
  if (share < bar) problems.push(`served ${(share * 100).toFixed(1)} % of calls, the bar is ${bar * 100} %`);
  return problems;
}
