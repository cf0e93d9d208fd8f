// npm run mutate [FOLDER …]: changes one place of a folder's sources at a time and requires that a test fails. A mutant that
// no test notices shows behaviour without a test. Fails when a folder's score is below its floor in folders.mjs.
// Works in a copy of the sources. Results of unchanged code are kept in node_modules/.cache, so a run that ended early, or a run
// after an edit, tests only what is new. `--all` tests every mutant instead of the sample.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { copyRepo } from '../../scripts/copy-repo.mjs';
import { build, npmInstall } from '../../scripts/prepare.mjs';
import { describeRun, writeResults } from '../../scripts/write-results.mjs';
import { FOLDERS } from './folders.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const REPO = join(HERE, '../..');
/** Stryker has a lockfile of its own: nothing else needs it. It takes vitest from the repository. */
const INSTALLED = join(HERE, 'node_modules');
const STRYKER = join(INSTALLED, '@stryker-mutator/core/bin/stryker.js');
/** Search threads, sandboxes of users' code and the packed command line are tested as built, so not mutated. */
const BUILT = ['packages/workspace/dist', 'packages/components/dist', 'apps/cli/dist', 'apps/studio/dist'];
const RESULTS = join(REPO, 'docs/results/mutation.md');
const HEAD = '| Folder | Mutants tested | Killed | Survived | Not reached | Score | Share | Commit | Machine |';

const { values: flags, positionals: names } = parseArgs({
  options: { all: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = names.filter((name) => !FOLDERS.some((folder) => folder.name === name));
if (unknown.length > 0) {
  console.error(`No folder ${unknown.join(', ')}. Folders: ${FOLDERS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

npmInstall(HERE);
build();
for (const folder of FOLDERS) {
  if (names.length > 0 && !names.includes(folder.name)) continue;
  const described = describeRun();
  const counts = countMutants(await runStryker({ ...folder, share: flags.all ? 1 : folder.share }));
  const isLow = counts.score < folder.floor;
  console.log(`${folder.name}: ${counts.score.toFixed(1)} % of ${counts.tested} mutants, floor ${folder.floor} %`);
  if (isLow) process.exitCode = 1;
  if (!flags.all) writeRow(folder, counts, described);
}

/** Mutates one folder in a copy of the sources; returns Stryker's report. */
async function runStryker({ name, mutate, tests, not, share }) {
  const copy = copyRepo('mutate', ['mutation', 'support', 'guard']);
  for (const dir of BUILT) cpSync(join(REPO, dir), join(copy, dir), { recursive: true });
  symlinkSync(INSTALLED, join(copy, 'tests/mutation/node_modules'));
  const kept = join(REPO, 'node_modules/.cache/croft-mutation');
  mkdirSync(kept, { recursive: true });
  const config = join(copy, 'stryker.config.json');
  const report = join(copy, 'report.json');
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner', './tests/mutation/sample.mjs'],
      checkers: ['sample'],
      mutate: [...mutate, '!**/*.test.ts'],
      // A sandbox inside the copy would resolve the links to the packages to the unmutated sources.
      inPlace: true,
      vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
      // A module's constants are computed before a test starts, so each of these mutants would run all tests.
      ignoreStatic: true,
      incremental: true,
      incrementalFile: join(kept, `${name}${share === 1 ? '' : '-sample'}.json`),
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: report },
      concurrency: Math.max(1, Math.floor(availableParallelism() / 2)),
      timeoutMS: 15_000,
      // The tests take more than the default of five minutes on a busy machine.
      dryRunTimeoutMinutes: 30,
      disableTypeChecks: false,
      allowEmpty: true,
    }),
  );
  try {
    const stryker = spawn(process.execPath, [STRYKER, 'run', config], {
      cwd: copy,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        CROFT_MUTANT_SHARE: String(share),
        CROFT_MUTATION_TESTS: JSON.stringify({ tests, not }),
      },
    });
    const [code] = await once(stryker, 'close');
    if (code !== 0 || !existsSync(report)) throw new Error(`Stryker ended with ${code}; see above`);
    return JSON.parse(readFileSync(report, 'utf8'));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Counts the outcomes and prints each mutant that no test noticed. */
function countMutants({ files }) {
  const mutants = Object.entries(files).flatMap(([file, { source, mutants: all }]) =>
    all.map((mutant) => ({ ...mutant, file, line: source.split('\n')[mutant.location.start.line - 1].trim() })),
  );
  const of = (...states) => mutants.filter(({ status }) => states.includes(status));
  const [killed, survived, unreached] = [of('Killed', 'Timeout'), of('Survived'), of('NoCoverage')];
  for (const { file, location, status, replacement, line } of [...survived, ...unreached])
    console.log(
      `${status} ${file}:${location.start.line}: ${line}  ->  ${replacement.replaceAll(/\s+/g, ' ').slice(0, 80)}`,
    );
  const tested = killed.length + survived.length + unreached.length;
  if (tested === 0) throw new Error('no mutant was tested');
  return {
    tested,
    killed: killed.length,
    survived: survived.length,
    unreached: unreached.length,
    score: (100 * killed.length) / tested,
  };
}

/** Replaces the folder's row of docs/results/mutation.md; the other rows are from runs of their own. */
function writeRow({ name, share }, { tested, killed, survived, unreached, score }, { commit, date, machine }) {
  const old = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8').split('\n') : [];
  const rows = FOLDERS.flatMap((folder) => {
    if (folder.name !== name) return old.filter((line) => line.startsWith(`| ${folder.name} |`));
    const cells = [name, tested, killed, survived, unreached, `${score.toFixed(1)} %`];
    const from = [
      `${Math.round(100 * share)} %`,
      `${commit.slice(0, 12)}${commit.slice(40)}, ${date.slice(0, 16)}`,
      machine,
    ];
    return [`| ${[...cells, ...from].join(' | ')} |`];
  });
  writeResults(
    'mutation',
    `# Mutation testing\n\nWritten by \`npm run mutate\`, one row for each run of a folder. A score is the share of the tested mutants that a test\nnoticed; the share is the part of all mutants that was tested, chosen by a hash. tests/mutation/folders.mjs says which\nfiles and tests belong to a folder.\n\n${HEAD}\n|---|---:|---:|---:|---:|---:|---:|---|---|\n${rows.join('\n')}\n`,
  );
}
