// Installs the libraries into a new program with the commands of docs/libraries.md, and runs library.mjs there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repo } from './installed-croft.mjs';

const commands = readFileSync(join(repo, 'docs/libraries.md'), 'utf8').match(/(?<=^npm ).*/gm) ?? [];
assert.deepEqual(
  commands.map((command) => command.split(' ')[0]),
  ['config', 'install'],
);
const program = mkdtempSync(join(tmpdir(), 'croft-program-'));
try {
  writeFileSync(join(program, 'package.json'), '{"private":true}');
  copyFileSync(join(repo, 'examples/library.mjs'), join(program, 'library.mjs'));
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  for (const command of commands) {
    const args = [...command.replaceAll('../croft', repo).split(' '), '--no-audit', '--no-fund', '--prefer-offline'];
    execFileSync(npm, args, { cwd: program, stdio: ['ignore', 'ignore', 'pipe'] });
  }
  process.stdout.write(execFileSync(process.execPath, ['library.mjs'], { cwd: program }));
} finally {
  rmSync(program, { recursive: true, force: true });
}
