/**
 * Measures the flow engine against LangGraph.js and a bare loop: `npm run bench:flows`.
 *
 * Every figure is the median of rounds in fresh processes, by turns, in CPU milliseconds of the measured part: the first
 * run of a process, without loading modules and without collecting their garbage. A complete run writes docs/results/bench-flows.md.
 *
 * --rounds N   rounds of each row (default 7; fewer write no results)
 */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeRun, runLines, writeResults } from '../../scripts/write-results.mjs';
import { installPeers, peersInstalled } from '../lib/peers.mjs';
import { row } from './row.mjs';
import { crowdRows, scaleRows } from './scale-rows.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PEERS = join(HERE, '../flow-peers');
const ROUNDS = 7;

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: String(ROUNDS) } } });
const rounds = Number(options.rounds);
const run = describeRun();
if (!peersInstalled(PEERS)) installPeers(PEERS);
// The peer is found from its own directory.
for (const file of ['langgraph.mjs', 'flow-of.mjs']) copyFileSync(join(HERE, file), join(PEERS, file));
try {
  main();
} finally {
  for (const file of ['langgraph.mjs', 'flow-of.mjs']) rmSync(join(PEERS, file), { force: true });
}

function main() {
  const measured = {};
  for (let round = 0; round < rounds; round += 1)
    for (const [name, file, shape, count] of [
      ['croft chain', join(HERE, 'croft.mjs'), 'chain', 1_000],
      ['croft parallel', join(HERE, 'croft.mjs'), 'parallel', 1_000],
      ['croft long', join(HERE, 'croft.mjs'), 'chain', 10_000],
      ['layout', join(HERE, 'layout.mjs'), 'chain', 5_000],
      ['langgraph chain', join(PEERS, 'langgraph.mjs'), 'chain', 1_000],
      ['langgraph parallel', join(PEERS, 'langgraph.mjs'), 'parallel', 1_000],
      ['bare chain', join(HERE, 'bare.mjs'), 'chain', 1_000],
    ])
      (measured[name] ??= []).push(measure(file, shape, count));
  measured['croft run'] = Array.from({ length: rounds }, startToResult);
  const cpu = Object.fromEntries(Object.entries(measured).map(([name, list]) => [name, median(list)]));
  const rows = [
    row('1,000 chained, a node', `${cpu['croft chain'].toFixed(1)} µs`, '≤ 20 µs', cpu['croft chain'] <= 20),
    row('1,000 in parallel, a node', `${cpu['croft parallel'].toFixed(1)} µs`, '≤ 20 µs', cpu['croft parallel'] <= 20),
    ratio('LangGraph.js, chained', cpu['langgraph chain'] / cpu['croft chain'], 40),
    ratio('LangGraph.js, in parallel', cpu['langgraph parallel'] / cpu['croft parallel'], 40),
    row('bare loop, chained, a node', `${cpu['bare chain'].toFixed(1)} µs`, '', true),
    row(
      '10,000 chained over 1,000, a node',
      `${(cpu['croft long'] / 10 / cpu['croft chain']).toFixed(2)} ×`,
      '≤ 1.5 ×',
      cpu['croft long'] / 10 <= 1.5 * cpu['croft chain'],
    ),
    row('plan and grid layout of 5,000 nodes', `${cpu.layout.toFixed(0)} ms`, '≤ 200 ms', cpu.layout <= 200),
    ...scaleRows(),
    ...crowdRows(),
    ...durableRows(),
    ...turnRows(),
    row('`croft run` of three nodes, CPU', `${cpu['croft run'].toFixed(0)} ms`, '≤ 500 ms', cpu['croft run'] <= 500),
  ];
  const text = `# Bench of flows

Written by \`npm run bench:flows\`: the median CPU time of the first run in ${rounds} fresh processes, by turns, after a garbage collection; durable runs and turns of the assistant in wall time. Events, timing, cancellation and bounded inputs and outputs are on.

${runLines(run)}

| measured | result | bar | held |
|---|---:|---:|---|
${rows.map(({ cells }) => `| ${cells.join(' | ')} |`).join('\n')}
`;
  console.log(text);
  if (rounds >= ROUNDS) writeResults('bench-flows', text);
  process.exitCode = rows.every(({ held }) => held) ? 0 : 1;
}

/** Durable runs on the embedded PostgreSQL: wall time, the median of seven runs, and one kill each. */
function durableRows() {
  const done = spawnSync(process.execPath, [join(HERE, 'durable.mjs')], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`durable.mjs failed: ${done.stderr}`);
  const { inMemory, durable, other, page, continued, takenOver } = JSON.parse(done.stdout);
  const killed = spawnSync(process.execPath, [join(HERE, 'killed-server.mjs')], { encoding: 'utf8' });
  if (killed.status !== 0) throw new Error(`killed-server.mjs failed: ${killed.stderr}`);
  const server = JSON.parse(killed.stdout);
  const ms = (name, value, most) =>
    row(name, `${value.toFixed(0)} ms`, `≤ ${most.toLocaleString('en')} ms`, value <= most);
  return [
    ms('durable run of 1,000 pure and 10 effect nodes, over the same in memory', durable - inMemory, 150),
    ms('half-finished run after `kill -9`, from the start of its worker', continued, 1_000),
    ms('half-finished run of 1,000 nodes after `kill -9` of its server, from `/readyz`', server.continued, 1_000),
    row('from the start of that server to `/readyz`', `${server.ready.toFixed(0)} ms`, '', true),
    ms('the run on another worker, from the kill', takenOver, 15_000),
    ms("another user's run, from the queue to its result, behind 1,000 runs of one user", other, 2_000),
    ms('a page of 100 runs of 100,000', page, 100),
  ];
}

/** Turns of the assistant whose model answers at once, in one process: wall time, without the server and its database. */
function turnRows() {
  const done = spawnSync(process.execPath, ['--expose-gc', join(HERE, 'turn.mjs')], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`turn.mjs failed: ${done.stderr}`);
  const { own, id, together, heap } = JSON.parse(done.stdout);
  return [
    row('turn of the assistant that builds a flow, p50', `${own.toFixed(1)} ms`, '≤ 30 ms', own <= 30),
    row('the id of the turn, p50', `${id.toFixed(2)} ms`, '≤ 50 ms', id <= 50),
    row('100 such turns at once', `${together.toFixed(0)} ms`, '', true),
    row('heap after 1,000 turns over that after 100', `${heap.toFixed(2)} ×`, '≤ 1.1 ×', heap <= 1.1),
  ];
}

function ratio(name, times, least) {
  return row(`${name}, CPU over Croft's`, `${times.toFixed(0)} ×`, `≥ ${least} ×`, times >= least);
}

/** CPU milliseconds; for 1,000 nodes these are microseconds a node. */
function measure(file, shape, count) {
  const done = spawnSync(process.execPath, ['--expose-gc', file, shape, String(count)], { encoding: 'utf8' });
  const result = JSON.parse(done.stdout || '{}');
  if (result.seen !== count) throw new Error(`${file} ${shape} ran ${result.seen} of ${count} nodes: ${done.stderr}`);
  return result.cpuMs;
}

/** A whole `croft run` of three nodes: CPU milliseconds of the process, from its start to its end. */
function startToResult() {
  const dir = mkdtempSync(join(tmpdir(), 'croft-bench-flows-'));
  try {
    const flow =
      'nodes:\n  I: ChatInput\n  P: PromptTemplate\n  O: ChatOutput\nedges:\n  I.message -> P.who\n  P.prompt -> O.input_value\nconfig:\n  P.template: "Hello {who}"';
    writeFileSync(join(dir, 'hello.flow'), flow);
    const env = { ...process.env, HOME: dir, CROFT_BASE_DIR: join(dir, 'base') };
    const args = [join(HERE, '../../apps/cli/dist/croft.cjs'), 'run', 'hello.flow', '--input', 'Ada'];
    const timed = () => {
      const script = `const r = require('node:child_process').spawnSync(process.execPath, ${JSON.stringify(args)}, { encoding: 'utf8' }); const fs = require('node:fs'); const ticks = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' '); console.log(JSON.stringify({ out: r.stdout, ms: (Number(ticks[13]) + Number(ticks[14])) * 10 }));`;
      const done = spawnSync(process.execPath, ['-e', script], { cwd: dir, env, encoding: 'utf8' });
      const { out, ms } = JSON.parse(done.stdout);
      if (out !== 'Hello Ada\n') throw new Error(`croft run printed ${out}`);
      return ms;
    };
    timed();
    return timed();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
