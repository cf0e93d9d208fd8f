// A component in TypeScript: written, run, broken, repaired; with the installed package in an empty home.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installCroft, makeStage } from './installed-croft.mjs';

/** The size limit of an installation of `croft` with its optional dependencies. */
const MAX_INSTALLED_BYTES = 12_000_000;

const stage = makeStage();
const files = join(stage.base, 'files');

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'run', ...args], {
    cwd: files,
    env: stage.env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function write(body) {
  const source = `export class WordLengths extends Component {
  label = 'Word lengths';
  inputs = [{ name: 'words', kind: 'text', required: true }];
  outputs = [{ name: 'lengths', types: ['Message'], method: 'measure' }];
  words!: string;

  measure(): string {
    ${body}
  }
}
`;
  writeFileSync(join(files, '.components/WordLengths.ts'), source);
}

const bytesIn = (dir) =>
  readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, path, name }) => sum + statSync(join(parentPath ?? path, name)).size, 0);

let bin;
try {
  bin = installCroft(stage);
  const installed = bytesIn(join(dirname(bin), '../..'));
  assert.ok(installed <= MAX_INSTALLED_BYTES, `croft takes ${installed} bytes when installed`);

  mkdirSync(join(files, '.components'), { recursive: true });
  writeFileSync(
    join(files, 'words.flow'),
    'nodes:\n  I: ChatInput\n  W: WordLengths\n  O: ChatOutput\nedges:\n  I.message -> W.words\n  W.lengths -> O.input_value\n',
  );
  write("return this.words.split(' ').map((word) => word.length).join(' ');");
  const written = run('words.flow', '--input', 'one three eleven');
  assert.deepEqual([written.status, written.stdout], [0, '3 5 6\n'], written.stderr);

  write("return this.words.split(' ');");
  const wrongType = run('words.flow', '--input', 'x');
  assert.equal(wrongType.status, 1);
  assert.match(wrongType.stderr, /WordLengths: output 'lengths' gave a list, and must be a text\./);

  write(
    "const words = this.words.split(' ');\n    if (words.length < 2) throw new RangeError('too short');\n    return words[0];",
  );
  const thrown = run('words.flow', '--input', 'x');
  assert.match(
    thrown.stderr,
    /WordLengths, line 9: RangeError: too short\. Change line 9 of the code, or the inputs\./,
  );

  write('return this.words.split(;');
  const unread = run('words.flow', '--input', 'x');
  assert.match(unread.stderr, /skipped {2}\.components\/WordLengths\.ts: Line 8 of the code: Unexpected token\./);

  write("return require('node:fs').readFileSync('/etc/passwd', 'utf8');");
  const hostile = run('words.flow', '--input', 'x');
  assert.match(hostile.stderr, /Line 8 of the code: Use of require\(\) is forbidden in components\./);
  assert.doesNotMatch(hostile.stdout + hostile.stderr, /root:/);

  write('return this.words.toUpperCase();');
  assert.equal(run('words.flow', '--input', 'repaired').stdout, 'REPAIRED\n');
  console.log(`a component of a user: written, run, broken, repaired; croft takes ${(installed / 1e6).toFixed(2)} MB`);
} finally {
  stage.remove();
}
