// Installs the packed croft and runs every example, as many at once as there are cores; each checks itself. The output
// of an example is printed when it ends. `--write` saves the transcripts.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { installCroft, installServer, repo } from './installed-croft.mjs';

// The longest first.
const examples = [
  'studio-session',
  'assistant-session',
  'guard-session',
  'flow-session',
  'every-template',
  'http-session',
  'stdio-session',
  'user-component',
  'installed-library',
  'library',
  'embedded-guard',
];
/** The longest takes 40 s on two quiet cores. */
const LIMIT_MS = 300_000;
const base = mkdtempSync(join(tmpdir(), 'croft-examples-'));
const waiting = [...examples];
let failed = 0;
try {
  const installed = { INSTALLED_CROFT: installCroft({ base }), INSTALLED_CROFT_SERVER: installServer({ base }) };
  const env = { ...process.env, ...installed };
  await Promise.all(Array.from({ length: availableParallelism() }, () => runWaiting(env)));
} finally {
  rmSync(base, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

async function runWaiting(env) {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const { output, problem } = await runExample(name, env);
    process.stdout.write(`example ${name}\n${output}`);
    if (problem === undefined) continue;
    failed++;
    console.log(`example ${name} ${problem}`);
  }
}

function runExample(name, env) {
  return new Promise((resolve) => {
    let output = '';
    const args = [join(repo, `examples/${name}.mjs`), ...process.argv.slice(2)];
    const child = spawn(process.execPath, args, { cwd: repo, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ output, problem: `did not start: ${error.message}` }));
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      const finish = () => resolve({ output, problem: signal ? 'did not end' : code === 0 ? undefined : 'failed' });
      child.once('close', finish);
      // A process that the example left behind keeps its output open.
      setTimeout(finish, 1_000);
    });
  });
}
