// npm run packages: packs what is published, checks each package with publint and Are the Types Wrong, as a registry's users
// would get it, and installs all of them into an empty directory. Downloads the two tools at these versions.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { packAll } from './pack.mjs';

const PUBLINT = 'publint@0.3.25';
const ATTW = '@arethetypeswrong/cli@0.18.5';

const dir = mkdtempSync(join(tmpdir(), 'croft-packages-'));
let failures = 0;

function check(what, args) {
  run(what, 'npx', ['-y', ...args]);
}

function run(what, command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd });
  if (status === 0 && !/^(Suggestions|Warnings):/m.test(stdout)) return;
  failures++;
  console.log(`--- ${what}\n${stdout}${stderr}`);
}

/** Installs the tarballs with npm, starts the command, and loads the server. */
function install(tarballs) {
  const where = join(dir, 'installed');
  mkdirSync(where);
  writeFileSync(join(where, 'package.json'), '{"private":true}');
  run('npm install', 'npm', ['install', '--no-audit', '--no-fund', ...tarballs], where);
  run(
    'installed command',
    process.execPath,
    [join(where, 'node_modules/croft/dist/croft.cjs'), 'serve', '--help'],
    where,
  );
  const program = "const { startServer } = await import('@croft/server'); if (!startServer) process.exit(1);";
  run('installed server', process.execPath, ['--input-type=module', '--eval', program], where);
}

try {
  const tarballs = packAll(dir);
  install(tarballs);
  for (const tarball of tarballs) {
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
