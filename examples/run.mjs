// Runs every example in turn; each checks itself. `--write` saves the transcripts.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repo } from './installed-croft.mjs';

const examples = ['library', 'stdio-session', 'http-session', 'guard-session', 'studio-session'];
/** The longest takes 40 s on two quiet cores. */
const LIMIT_MS = 300_000;
let failed = 0;
for (const name of examples) {
  console.log(`example ${name}`);
  const done = spawnSync(process.execPath, [join(repo, `examples/${name}.mjs`), ...process.argv.slice(2)], {
    stdio: 'inherit',
    cwd: repo,
    timeout: LIMIT_MS,
  });
  if (done.status === 0) continue;
  failed++;
  console.log(`example ${name} ${done.error?.code === 'ETIMEDOUT' ? 'did not end' : 'failed'}`);
}
process.exit(failed === 0 ? 0 : 1);
