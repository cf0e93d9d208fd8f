// npm run soak: long-running checks. 10,000 searches cancelled or ended by force, with descriptors counted
// before and after; 500 kills in the middle of writes, with every file checked; kills at every point
// of every change, and 200 at random moments, after each of which `croft undo` has to take everything back. A full run
// writes docs/results/soak.md.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeRun, runLines, writeResults } from '../../scripts/write-results.mjs';
import { closeSearchWorkers, openWorkspace } from '../../packages/workspace/dist/index.js';
import { CHANGES, killAtRandom, killDuring } from '../killed/harness.mjs';

const repo = join(dirname(fileURLToPath(import.meta.url)), '../..');
const count = (flag, fallback) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${flag}=`))?.split('=')[1] ?? fallback);
const SEARCHES = 10_000;
const KILLS = 500;
const RANDOM_KILLS = 200;
const searches = count('searches', SEARCHES);
const kills = count('kills', KILLS);
const changes = count('changes', RANDOM_KILLS);
const run = describeRun();

const results = {
  searches: await cancelSearches(searches),
  kills: await killWriters(kills),
  changes: await killChanges(changes),
};
report(results);

/** Starts searches and stops each at a random moment; one in fifty is stuck in a pattern and has its thread ended. */
async function cancelSearches(total) {
  const base = mkdtempSync(join(tmpdir(), 'croft-soak-'));
  const dir = join(base, 'workspace');
  for (let d = 0; d < 40; d++) {
    mkdirSync(join(dir, `d${d}`), { recursive: true });
    for (let f = 0; f < 50; f++) writeFileSync(join(dir, `d${d}/f${f}.txt`), `inside ${d} ${f}\n`.repeat(200));
  }
  writeFileSync(join(dir, 'stuck.txt'), `${'a'.repeat(4_000)}b\n`.repeat(20));
  writeFileSync(join(base, 'outside.txt'), 'OUTSIDE\n');
  const workspace = openWorkspace(dir);
  await workspace.grep({ pattern: 'warm' });
  await closeSearchWorkers();
  const before = descriptors();
  const outcome = { cancelled: 0, finished: 0, ended: 0, other: 0, outside: 0 };
  try {
    for (let i = 0; i < total; i++) {
      const stuck = i % 50 === 0;
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), stuck ? 5 : Math.random() * 40);
      const pattern = stuck ? { pattern: '(a+)\\1+c', isRegex: true, path: 'stuck.txt' } : { pattern: 'OUTSIDE' };
      try {
        const found = await workspace.grep({ ...pattern, outputMode: 'content', signal: stop.signal });
        if (found.matches.length > 0) outcome.outside++;
        outcome.finished++;
      } catch (error) {
        if (error.code === 'cancelled') outcome[stuck ? 'ended' : 'cancelled']++;
        else outcome.other++;
      } finally {
        clearTimeout(timer);
      }
      // A descriptor that was closed twice would by now belong to another file: every read must return the expected
      // content.
      if (i % 20 === 0) {
        const { lines } = await workspace.readText(`d${i % 40}/f${i % 50}.txt`, { limit: 1 });
        if (lines[0] !== `inside ${i % 40} ${i % 50}`) outcome.other++;
      }
    }
  } finally {
    await closeSearchWorkers();
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  const after = descriptors();
  workspace.close();
  rmSync(base, { recursive: true, force: true });
  return {
    total,
    ...outcome,
    descriptorsBefore: before.length,
    descriptorsAfter: after.length,
    left: after.filter((name) => !before.includes(name)),
  };
}

function descriptors() {
  return readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).replace(/:\[\d+\]/, '');
    } catch {
      return 'gone';
    }
  });
}

/** Kills a process that replaces files over and over, then checks that each file is whole and nothing is left over. */
async function killWriters(rounds) {
  const base = mkdtempSync(join(tmpdir(), 'croft-kill-'));
  const dir = join(base, 'workspace');
  mkdirSync(dir);
  const names = Array.from({ length: 8 }, (_, i) => `sub${i % 3}/file${i}.json`);
  const outcome = { rounds, checks: 0, torn: 0, missing: 0, litter: 0, writes: 0 };
  const known = new Set();
  try {
    for (let round = 0; round < rounds; round++) {
      const child = fork(join(repo, 'tests/soak/write-forever.mjs'), [dir, join(base, 'trash'), ...names], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      child.on('message', (name) => {
        outcome.writes++;
        known.add(name);
      });
      await new Promise((resolve) => child.once('message', resolve));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      const next = openWorkspace(dir);
      await next.settled();
      next.close();
      outcome.litter += readdirSync(dir, { recursive: true }).filter((name) =>
        String(name).includes('.croft-tmp-'),
      ).length;
      for (const name of known) {
        outcome.checks++;
        if (!existsSync(join(dir, name))) outcome.missing++;
        else if (!isWhole(readFileSync(join(dir, name), 'utf8'))) outcome.torn++;
      }
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  return outcome;
}

/** Kills a real `croft mcp` before every call of `fs` that a change makes, and as often at random moments as is asked; with 0, nothing. */
async function killChanges(random) {
  const outcome = { points: 0, random: 0, changed: 0, undone: 0, problems: [] };
  const note = (what, { isChanged, undone, problems }) => {
    if (isChanged) outcome.changed++;
    outcome.undone += undone;
    outcome.problems.push(...problems.map((problem) => `${what}: ${problem}`));
  };
  for (const call of random > 0 ? CHANGES : []) {
    for (const point of ['before-record', 'after-record']) note(`${call[0]} ${point}`, await killDuring(call, point));
    for (let point = 0, isDone = false; !isDone; point++) {
      const result = await killDuring(call, point);
      ({ isDone } = result);
      outcome.points++;
      note(`${call[0]} at call ${point}`, result);
    }
  }
  for (; outcome.random < random; outcome.random++) note('random', await killAtRandom(300));
  return outcome;
}

/** Each file contains the hash of its own body. */
function isWhole(text) {
  const cut = text.indexOf('\n');
  return (
    createHash('sha256')
      .update(text.slice(cut + 1))
      .digest('hex') === text.slice(0, cut)
  );
}

function report({ searches: s, kills: k, changes: c }) {
  const good =
    s.descriptorsAfter <= s.descriptorsBefore &&
    s.outside === 0 &&
    s.other === 0 &&
    k.torn === 0 &&
    k.missing === 0 &&
    k.litter === 0 &&
    c.problems.length === 0;
  const text = `# Soak

Written by \`npm run soak\`.

${runLines(run)}

| What | Result |
|---|---|
| searches | ${s.total}: ${s.cancelled} cancelled, ${s.ended} ended by force, ${s.finished} finished first, ${s.other} other failures |
| descriptors before / after | ${s.descriptorsBefore} / ${s.descriptorsAfter} |
| reads of anything but the file named | ${s.outside} |
| kills during writes | ${k.rounds} rounds, ${k.writes} writes seen, ${k.checks} files checked |
| torn / missing / litter after the next start | ${k.torn} / ${k.missing} / ${k.litter} |
| kills during changes | ${c.points} points, ${c.random} random; ${c.changed} left a change, ${c.undone} changes taken back |
| changes without a record, or not taken back | ${c.problems.length} |
`;
  if (s.total >= SEARCHES && k.rounds >= KILLS && c.random >= RANDOM_KILLS) writeResults('soak', text);
  console.log([text, ...c.problems].join('\n'));
  process.exit(good ? 0 : 1);
}
