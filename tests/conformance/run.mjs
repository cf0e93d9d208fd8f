// npm run conformance: the MCP conformance suite against the built program, with its results in docs/results.
// The suite needs a newer Node than Croft's floor; npx brings one.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeRun, runLines, writeResults } from '../../scripts/write-results.mjs';
import { CANNOT_PASS, NEXT, NOT_RUN, SCENARIOS, STABLE } from './scenarios.mjs';

const root = join(import.meta.dirname, '../..');
const NODE = '24';
const run = describeRun();
const SCENARIO_MS = 240_000;

const scratch = mkdtempSync(join(tmpdir(), 'croft-conformance-'));
const children = [];
try {
  await main();
} finally {
  for (const child of children) child.kill();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}

async function main() {
  const urls = { croft: await startCroft(), fixture: await startFixture() };
  const results = SCENARIOS.map(({ suite, against, scenario }) => {
    const result = { suite, against, scenario, ...runScenario(suite, urls[against], scenario) };
    console.log(
      `${result.unexpected.length === 0 && result.passed > 0 ? 'ok  ' : 'FAIL'} ${suite.padEnd(15)} ${scenario.padEnd(30)} ${result.passed} passed, ${result.failed.length} failed`,
    );
    for (const check of result.unexpected) console.log(`       ${check.id}: ${check.message}`);
    return result;
  });
  if (results.every(({ passed, failed }) => passed + failed.length > 0)) write(results);
  else console.error('Not written to docs/results: a scenario checked nothing.');
  const bad = results.filter(({ passed, unexpected }) => unexpected.length > 0 || passed === 0);
  console.log(`\n${results.length - bad.length} of ${results.length} scenarios as expected`);
  process.exitCode = bad.length === 0 ? 0 : 1;
}

function startChild(args, wanted) {
  const env = { ...process.env, HOME: scratch, CROFT_BASE_DIR: join(scratch, 'base') };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = wanted.exec(line);
      if (found) resolve(found[0]);
    });
    child.on('exit', (code) => reject(new Error(`${args[0]} ended with code ${code}`)));
  });
}

function startCroft() {
  const dir = join(scratch, 'workspace');
  mkdirSync(dir);
  writeFileSync(join(dir, 'readme.txt'), 'A file to be served.\n');
  return startChild(
    [join(root, 'apps/cli/dist/croft.cjs'), 'mcp', '--http', dir, '--port', '0', '--no-open', '--no-token'],
    /http:\S+\/mcp$/,
  );
}

function startFixture() {
  return startChild([join(import.meta.dirname, 'fixture-server.mjs')], /http:\S+\/mcp$/);
}

/** Runs one scenario and reads its checks. */
function runScenario(suite, url, scenario) {
  const out = mkdtempSync(join(scratch, 'out-'));
  const args = [
    '-y',
    '-p',
    `node@${NODE}`,
    '-p',
    `@modelcontextprotocol/conformance@${suite}`,
    'conformance',
    'server',
    '--url',
    url,
    '--scenario',
    scenario,
    '-o',
    out,
  ];
  // Runs in the scratch directory, so that npx does not use the configuration of a project.
  const done = spawnSync('npx', args, { cwd: scratch, encoding: 'utf8', timeout: SCENARIO_MS });
  const checks = readdirSync(out, { recursive: true })
    .filter((name) => name.endsWith('checks.json'))
    .flatMap((name) => JSON.parse(readFileSync(join(out, name), 'utf8')));
  if (checks.length === 0) console.error(done.stderr);
  const failed = checks
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, errorMessage, description }) => ({ id, message: errorMessage ?? description }));
  return {
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    warnings: checks
      .filter(({ status }) => status === 'WARNING')
      .map(({ id, errorMessage, description }) => ({ id, message: errorMessage ?? description })),
    failed,
    unexpected: failed.filter(({ id }) => CANNOT_PASS[scenario]?.[id] === undefined),
  };
}

function write(results) {
  const rows = results.map(
    ({ suite, against, scenario, passed, failed }) =>
      `| ${scenario} | ${suite} | ${against} | ${passed} | ${failed.length} |`,
  );
  const why = results.flatMap(({ scenario, failed }) =>
    failed.map(
      ({ id, message }) =>
        `- \`${scenario}\` / \`${id}\`: ${CANNOT_PASS[scenario]?.[id] ?? `**not explained**: ${message}`}`,
    ),
  );
  const text = `# MCP conformance

Written by \`npm run conformance\`: the suite \`@modelcontextprotocol/conformance\` ${STABLE} and ${NEXT} on Node ${NODE}.
\`croft\` is \`croft mcp --http\` as it is; \`fixture\` is \`@croft/mcp\` with the tools the suite calls by name (\`tests/conformance/fixture-server.mjs\`).

${runLines(run)}

| scenario | suite | against | checks passed | failed |
|---|---|---|---|---|
${rows.join('\n')}

## What cannot pass
${why.length === 0 ? 'Everything that is run passes.' : why.join('\n')}

## What is not run
${NOT_RUN.map(({ what, why: reason }) => `- ${what}: ${reason}`).join('\n')}
`;
  writeResults('conformance', text);
}
