// npm run packages: packs what is published, and checks each package with publint and Are the Types Wrong, as a registry's users
// would get it. Downloads the two tools at these versions.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { packAll } from './pack.mjs';

const PUBLINT = 'publint@0.3.25';
const ATTW = '@arethetypeswrong/cli@0.18.5';

const dir = mkdtempSync(join(tmpdir(), 'croft-packages-'));
let failures = 0;

function check(what, args) {
  const { status, stdout, stderr } = spawnSync('npx', ['-y', ...args], { encoding: 'utf8' });
  if (status === 0 && !/^(Suggestions|Warnings):/m.test(stdout)) return;
  failures++;
  console.log(`--- ${what}\n${stdout}${stderr}`);
}

try {
  for (const tarball of packAll(dir)) {
    const name = basename(tarball, '.tgz');
    execFileSync('tar', ['-xzf', tarball, '-C', dir]);
    const unpacked = join(dir, 'package');
    const { exports } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
    check(`${name}: publint`, [PUBLINT, 'run', unpacked, '--strict', '--pack', 'false']);
    // The `croft` command has no entry for programs.
    if (exports !== undefined) check(`${name}: types`, [ATTW, tarball, '--profile', 'esm-only', '--no-color']);
    rmSync(unpacked, { recursive: true });
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
console.log(failures === 0 ? 'packages: all good' : `packages: ${failures} checks failed`);
process.exit(failures === 0 ? 0 : 1);
