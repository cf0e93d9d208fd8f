// One phase of one cell: sequential calls while the attacker flips, with a check of the outside after each batch.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { OUTSIDE } from './arena.mjs';
import { BATCH } from './operations.mjs';

/**
 * Runs calls until `attempts` calls (with `minServed` successes), `untilEscapes` escapes, or `capMs`.
 *
 * @param call (at, i) => result; a throw is a refusal
 * @param proof condition inside after a successful call, or `undefined`
 * @param mustShow text that a result must contain to count as a success (`undefined`: any result counts)
 */
export async function runPhase(
  arena,
  attacker,
  { call, proof, mustShow, attempts, minServed = 0, untilEscapes = Number.POSITIVE_INFINITY, capMs },
) {
  const tally = { attempts: 0, served: 0, escapes: 0, lost: 0, seen: new Set(), refusals: {}, ms: 0 };
  const began = performance.now();
  const over = () => performance.now() - began > capMs;
  await attacker.begin(arena.job);
  try {
    while ((tally.attempts < attempts || tally.served < minServed) && tally.escapes < untilEscapes && !over()) {
      attacker.resume();
      const owed = await runBatch(arena, { call, proof, mustShow }, tally, over);
      attacker.pause();
      inspect(arena, owed, tally);
      // All calls may have been synchronous; a signal to end needs a turn of the event loop.
      await new Promise(setImmediate);
    }
    return {
      ...tally,
      flips: attacker.flips(),
      ms: Math.round(performance.now() - began),
      seen: [...tally.seen].slice(0, 5),
    };
  } finally {
    attacker.end();
  }
}

async function runBatch(arena, { call, proof, mustShow }, tally, over) {
  const owed = [];
  for (let i = 0; i < BATCH && !over(); i++) {
    const at = arena.at(i);
    tally.attempts++;
    try {
      const shown = show(await call(at, i));
      if (leaks(shown, arena)) addEscape(tally, `shown: ${shown.slice(0, 120)}`);
      if (mustShow && !shown.includes(mustShow)) count(tally, 'shows nothing of the place');
      else {
        tally.served++;
        const due = proof?.(at, i);
        if (due) owed.push(due);
      }
    } catch (error) {
      count(tally, String(error.code ?? error.message));
      // A refusal must not reveal the outside either.
      if (error.name === 'WorkspaceError' && leaks(error.message, arena))
        addEscape(tally, `shown in an error: ${error.message}`);
    }
    arena.mend();
  }
  return owed;
}

/** Checks while the attacker is paused: the proofs inside, content from outside, and changes outside. */
function inspect(arena, owed, tally) {
  for (const [name, text] of owed) {
    const problem = arena.real && missing(`${arena.real}/${name}`, text);
    if (problem) {
      tally.lost++;
      count(tally, `lost: ${problem}`);
    }
  }
  for (const text of textsBelow(`${arena.root}/dst`)) if (text.includes(OUTSIDE)) addEscape(tally, `came in: ${text}`);
  for (const difference of arena.repair()) addEscape(tally, `outside: ${difference}`);
}

function missing(at, text) {
  const stat = lstatSync(at, { throwIfNoEntry: false });
  if (!stat) return 'not there';
  if (text === undefined || stat.isDirectory()) return undefined;
  return readFileSync(at, 'utf8').startsWith(text) ? undefined : 'other content';
}

function textsBelow(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const at = `${dir}/${entry.name}`;
    if (entry.isDirectory()) return textsBelow(at);
    return entry.isFile() ? [readFileSync(at, 'utf8')] : [];
  });
}

function show(result) {
  return result === undefined ? '' : typeof result === 'string' ? result : JSON.stringify(result);
}

function leaks(text, arena) {
  return text.includes(OUTSIDE) || text.includes(arena.outside);
}

function addEscape(tally, what) {
  tally.escapes++;
  tally.seen.add(what.replaceAll('\n', ' '));
}

function count(tally, reason) {
  tally.refusals[reason] = (tally.refusals[reason] ?? 0) + 1;
}
