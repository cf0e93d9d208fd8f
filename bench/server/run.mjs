/**
 * Measures the server and its gateway on real processes from the built repository: `npm run bench:server`.
 *
 * --rows a,b   only these rows: start, idle, connect, read-file, tree, machines, store
 * --quick      few rounds; gates on counts only (for CI)
 * --json       the results as JSON on stdout, the rest on stderr
 *
 * Ends with 1 when a bar is missed. A full run of all rows writes docs/results/bench-server.md.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../lib/options.mjs';
import { asTable, describeBench, loadOfMachine, writeBench } from '../lib/report.mjs';
import { verdict } from '../lib/results.mjs';
import { readRows, treeRows } from './gateway-rows.mjs';
import { CROFT } from './processes.mjs';
import { machinesRows, storeRows } from './scale-rows.mjs';
import { connectRows, idleRows, startRows } from './start-rows.mjs';

const ROWS = {
  start: startRows,
  idle: idleRows,
  connect: connectRows,
  'read-file': readRows,
  tree: treeRows,
  machines: machinesRows,
  store: storeRows,
};
const ABOUT = { name: 'bench-server', title: 'Bench of the server', command: 'npm run bench:server' };

process.exit(await main());

async function main() {
  const options = readOptions(Object.keys(ROWS));
  if (!options) return 2;
  const say = (text) => (options.json ? console.error(text) : console.log(text));
  const tmp = realpathSync(mkdtempSync(join(tmpdir(), 'croft-bench-server-')));
  const stop = () => process.exit(130);
  process.on('exit', () => rmSync(tmp, { recursive: true, force: true, maxRetries: 5 }));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return measure(options, tmp, say);
}

async function measure({ rows, quick, json }, tmp, say) {
  const run = describeBench([subject()]);
  say(`commit ${run.commit}\n${run.machine}, Node ${run.node}, load ${run.loadBefore.join(' ')}\n`);
  const results = [];
  const broken = [];
  for (const row of rows) {
    const start = Date.now();
    try {
      results.push(...(await ROWS[row]({ tmp, quick })));
    } catch (error) {
      // A row that could not be measured fails the run; report the others anyway.
      broken.push(`${row}: ${error.message}`);
    }
    say(`${row} took ${((Date.now() - start) / 1e3).toFixed(1)} s`);
  }
  run.loadAfter = loadOfMachine();
  const missed = results.filter((result) => verdict(result, quick) === 'MISS');
  say(`\n${asTable(results, quick)}\n\nload after ${run.loadAfter.join(' ')}`);
  for (const text of broken) say(`NOT MEASURED ${text}`);
  if (json) console.log(JSON.stringify({ ...run, quick, results, broken }, null, 1));
  const isWhole = !quick && broken.length === 0 && rows.length === Object.keys(ROWS).length;
  if (isWhole) say(`written to ${writeBench(run, results, ABOUT)}`);
  const held = results.filter((result) => verdict(result, quick) === 'pass').length;
  say(`${held} bars held, ${missed.length} missed, ${broken.length} rows not measured`);
  return missed.length + broken.length === 0 ? 0 : 1;
}

function subject() {
  const hash = createHash('sha256')
    .update(readFileSync(CROFT.replace(/croft\.cjs$/, 'croft-main.cjs')))
    .digest('hex');
  return {
    name: 'croft',
    version: `0.1.0 (croft-main.cjs ${hash.slice(0, 12)})`,
    command: 'node apps/cli/dist/croft.cjs serve --port N --no-open; … connect URL TOKEN --json',
  };
}
