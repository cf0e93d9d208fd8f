// Keeps what a long run found in docs/results/NAME.json, with commit and machine.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export function recordResult(name, found) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const [cpu] = cpus();
  const machine = `${cpu?.model ?? 'unknown processor'} × ${cpus().length}, Linux ${release()}, Node ${process.versions.node}`;
  const file = join(root, 'docs/results', `${name}.json`);
  writeFileSync(file, `${JSON.stringify({ commit, date: new Date().toISOString(), machine, ...found }, null, 2)}\n`);
  return file;
}
