// npm run agents [name…]: runs real command-line agents with the hook that `croft setup guard` writes, against a scripted
// model on this machine, and writes docs/results/agents.md. Installs the agents from the npm registry into a temporary
// directory, or takes those below AGENTS_DIR (AGENTS_DIR/<name>/node_modules).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runAgent } from '../../apps/cli/dist/agent-check/run-agent.js';
import { startScriptedModel } from '../../apps/cli/dist/agent-check/scripted-model.js';
import { HOOK_CLIENTS } from '../../apps/cli/dist/setup/hook-clients.js';
import { describeRun, runLines, writeResults } from '../../scripts/write-results.mjs';

const CROFT = join(import.meta.dirname, '../../apps/cli/dist/croft.cjs');
const AGENTS = [
  { id: 'claude-code', package: '@anthropic-ai/claude-code', version: '2.1.330' },
  { id: 'codex', package: '@openai/codex', version: '0.169.0' },
  { id: 'gemini-cli', package: '@google/gemini-cli', version: '0.61.0' },
  { id: 'qwen-code', package: '@qwen-code/qwen-code', version: '0.15.10' },
  { id: 'opencode', package: 'opencode-ai', version: '1.18.33' },
];

const about = describeRun();
const scratch = mkdtempSync(join(tmpdir(), 'croft-agents-'));
try {
  await main(process.argv.slice(2));
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}

async function main(names) {
  const chosen = AGENTS.filter(({ id }) => names.length === 0 || names.includes(id));
  const results = [];
  for (const agent of chosen) {
    const result = await checkAgent(agent);
    results.push(result);
    console.log(`${result.ok ? 'ok  ' : 'FAIL'} ${result.agent} ${result.version}`);
    for (const { step, outcome, expected } of result.steps)
      console.log(`       ${step}: ${outcome}${outcome === expected ? '' : ` (expected: ${expected})`}`);
  }
  if (names.length === 0) write(results);
  const good = results.filter(({ ok }) => ok).length;
  console.log(`\n${good} of ${results.length} agents as expected`);
  process.exitCode = good === results.length ? 0 : 1;
}

/** Each step has an expected outcome, so an agent that refuses the call for another reason fails. */
async function checkAgent({ id, package: name, version }) {
  const { title, run } = HOOK_CLIENTS[id];
  const bin = install(id, `${name}@${version}`, run.program);
  const home = join(scratch, `home-${id}`);
  const base = join(home, '.croft');
  mkdirSync(base, { recursive: true });
  const PATH = [bin, dirname(process.execPath), process.env.PATH].join(':');
  const env = { ...process.env, HOME: home, PATH, CROFT_BASE_DIR: '' };
  const bare = await runAgent(run, { agent: id, baseDir: base, env, project: undefined });
  const steps = [step('without the hook', bare, 'ran, hook not called')];
  if (id === 'codex') {
    steps.push(step('hook written, not trusted', setUp(id, env), 'ran, hook not called'));
    await trustAsAPersonWould(home, env);
    steps.push(step('hook trusted', setUp(id, env), 'refused by the hook'));
    steps.push(await asksConfiguredAddress(home, env));
  } else steps.push(step('hook written', setUp(id, env), 'refused by the hook'));
  return { agent: title, id, package: name, version, steps, ok: steps.every((one) => one.outcome === one.expected) };
}

function install(id, spec, program) {
  const given = process.env.AGENTS_DIR && join(process.env.AGENTS_DIR, id);
  const dir = given && existsSync(given) ? given : join(scratch, id);
  if (!existsSync(join(dir, 'node_modules'))) {
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'package.json'), '{"private":true}');
    // Some agents install their program with a script.
    const args = ['install', '--no-audit', '--no-fund', '--engine-strict=false', '--ignore-scripts=false', spec];
    const { status, stderr } = spawnSync('npm', args, { cwd: dir, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${spec} cannot be installed: ${stderr.trim().split('\n').at(-1)}`);
  }
  // Only this agent; otherwise the settings of the others in the same home would be checked too.
  const bin = join(scratch, `bin-${id}`);
  mkdirSync(bin);
  symlinkSync(join(dir, 'node_modules/.bin', program), join(bin, program));
  return bin;
}

function setUp(id, env) {
  const args = [CROFT, 'setup', 'guard', '--client', id, '--yes', '--json'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, cwd: env.HOME, encoding: 'utf8' });
  const { checks: [check] = [] } = stdout === '' ? {} : JSON.parse(stdout);
  if (check?.hook.ok && check.agent) return check.agent;
  return { kind: 'unknown', problem: `setup failed: ${check?.hook.problem ?? stderr.trim()}` };
}

function step(name, { kind, calledHook, problem }, expected) {
  const outcomes = {
    refused: 'refused by the hook',
    ran: `ran, hook ${calledHook ? '' : 'not '}called`,
    unknown: `unknown: it ${problem}`,
  };
  return { step: name, outcome: outcomes[kind], expected };
}

/** Does what `/hooks` does in Codex: stores the hash of the hook that Codex's own server reports. */
async function trustAsAPersonWould(home, env) {
  const server = spawn('codex', ['app-server'], { env, cwd: home, stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    const waiting = new Map();
    createInterface({ input: server.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message.result);
    });
    const ask = (id, method, params) =>
      new Promise((resolve) => {
        waiting.set(id, resolve);
        server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      });
    await ask(1, 'initialize', { clientInfo: { name: 'croft', title: 'Croft', version: '1' } });
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'initialized' })}\n`);
    const { data } = await ask(2, 'hooks/list', { cwds: [home] });
    const [{ key, currentHash }] = data[0].hooks;
    const config = join(home, '.codex/config.toml');
    const before = existsSync(config) ? readFileSync(config, 'utf8') : '';
    writeFileSync(config, `${before}\n[hooks.state."${key}"]\ntrusted_hash = "${currentHash}"\n`);
  } finally {
    server.kill();
  }
}

/** Writes the base URL of docs/guard.md into the configuration of Codex. */
async function asksConfiguredAddress(home, env) {
  const model = await startScriptedModel([]);
  try {
    const config = join(home, '.codex/config.toml');
    writeFileSync(config, `openai_base_url = "${model.url}/v1"\n${readFileSync(config, 'utf8')}`);
    const args = ['exec', '--ephemeral', '--skip-git-repo-check', 'Reply with the word ok.'];
    await new Promise((resolve) => {
      spawn('codex', args, { env: { ...env, CODEX_API_KEY: 'x' }, cwd: home, stdio: 'ignore', timeout: 120_000 })
        .on('error', resolve)
        .on('exit', resolve);
    });
    const outcome = model.progress() === 'silent' ? 'asked another address' : 'asked that address';
    return { step: '`openai_base_url` in config.toml', outcome, expected: 'asked that address' };
  } finally {
    await model.close();
  }
}

function write(results) {
  const rows = results.flatMap(({ agent, package: name, version, steps }) =>
    steps.map(({ step: what, outcome, expected }) => {
      const verdict = outcome === expected ? 'as expected' : `expected: ${expected}`;
      return `| ${agent} | ${name} ${version} | ${what} | ${outcome} | ${verdict} |`;
    }),
  );
  const markdown = [
    '# Agents',
    '',
    '`npm run agents`: each agent runs once with a model on this machine that asks for one command, which overwrites a file',
    "outside of the project. The agent's own questions are switched off, so only the hook can refuse. Cursor has no",
    'command line and is not run.',
    '',
    runLines(about),
    '',
    '| Agent | Package | Step | Result | |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
  writeResults('agents', markdown);
}
