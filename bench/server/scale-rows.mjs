import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOAK = fileURLToPath(new URL('../../tests/soak/', import.meta.url));

/** Many machines connected to one hub, each with a tree and an open stream, and without calls. */
export async function machinesRows({ quick }) {
  const args = quick ? ['--machines=500', '--seconds=16'] : ['--machines=5000', '--seconds=35'];
  const { output } = await run([join(SOAK, 'gateway-idle.mjs'), '--entries=200', ...args]);
  const told = JSON.parse(output);
  const { kbPerMachine, machines, pingsKept, broken, treeKbPerMachine, rssMb, idleCpuPercent } = told;
  const missing = machines - Number(/^\d+/.exec(pingsKept)[0]);
  const count = { unit: '', op: '=', bar: 0, gate: 'count' };
  const few = machines < 5_000 ? ', too few to judge memory by' : '';
  return [
    {
      row: 'machines',
      measure: `${machines} idle, each`,
      value: kbPerMachine,
      unit: 'KB',
      op: '<=',
      bar: 48,
      gate: 'absolute',
      note: `of it ${treeKbPerMachine} for a tree of 200 entries; hub ${rssMb} MB, ${idleCpuPercent} % CPU${few}`,
    },
    { row: 'machines', measure: 'that missed a ping', value: missing, ...count, note: pingsKept },
    { row: 'machines', measure: 'streams that broke', value: broken, ...count },
  ];
}

/** The embedded database with 20 workers; with `rounds`, kills servers and databases while they write. */
export async function storeRows({ quick }) {
  const rounds = quick ? 0 : 3;
  const { code, output } = await run(['--import', 'tsx', join(SOAK, 'store.mjs'), String(rounds)]);
  const [, perSecond, errors] = /: (\d+) pieces of work a second, (\d+) errors/.exec(output) ?? [];
  if (errors === undefined) throw new Error(`the soak of the store ended with ${code}: ${output.slice(-500)}`);
  const failures = code === 0 ? 0 : Number(/(\d+) failures/.exec(output)?.[1] ?? 1);
  const count = { unit: '', op: '=', bar: 0, gate: 'count' };
  return [
    {
      row: 'store',
      measure: '20 workers x 1,000 mixed transactions: errors',
      value: Number(errors),
      ...count,
      note: `${perSecond} a second`,
    },
    { row: 'store', measure: `${rounds} kills while writing: failures`, value: failures, ...count },
  ];
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const stop = () => child.kill('SIGTERM');
    process.once('exit', stop);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('exit', stop);
      resolve({ code, output });
    });
  });
}
