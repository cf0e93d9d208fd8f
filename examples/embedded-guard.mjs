// The guard as a library: in the tool loop of a program's own agent, and as a proxy that the program starts itself.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  createGuardProxy,
  createJudge,
  loadPolicy,
  openPlace,
  refusalResult,
  toReaction,
} from '../packages/guard/dist/index.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'croft-embedded-')));
const project = join(base, 'project');
mkdirSync(join(project, '.git'), { recursive: true });

const tools = {
  write_file({ path, content }) {
    mkdirSync(dirname(resolve(project, path)), { recursive: true });
    writeFileSync(resolve(project, path), content);
    return 'written';
  },
};

const { policy } = loadPolicy({ env: process.env, flags: { strict: true } });
const judge = createJudge(policy, openPlace(policy, project));

function run(call) {
  const decision = judge.judge(call);
  if (decision.decision === 'block') return refusalResult(call.name, decision);
  return tools[call.name](call.arguments);
}

const servers = [];
try {
  const inside = { name: 'write_file', arguments: { path: 'notes/a.md', content: 'a' } };
  const outside = { name: 'write_file', arguments: { path: '../neighbour.md', content: 'b' } };
  assert.equal(run(inside), 'written');
  const refusal = run(outside);
  assert.match(
    refusal,
    /^Refused: write_file was not run\. Path '\.\.\/neighbour\.md' is outside the project directory\. Use a path inside/,
  );
  console.log(`  the model reads: ${refusal.replace(project, '~/project')}`);
  assert.deepEqual(toReaction(judge.judge(outside), project).metadata, {
    decision: 'blocked',
    path: '../neighbour.md',
    project_root: project,
  });

  const model = await listen(
    createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(replyWith(outside)));
    }),
  );
  const proxy = createGuardProxy({
    upstreams: [{ prefix: '', url: new URL(model) }],
    judgeFor: () => ({ judge: (call) => judge.judge(call), enforce: policy.mode === 'enforce' }),
    onDecision: ({ call, decision }) => console.log(`  the proxy decides: ${call.name} ${decision.decision}`),
    limits: { maxRetries: 0 },
  });
  const reply = await fetch(`${await listen(proxy)}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Write beside the project.' }] }),
  });
  const [{ message, finish_reason: finish }] = (await reply.json()).choices;
  assert.equal(message.tool_calls, undefined);
  assert.equal(finish, 'stop');
  assert.match(message.content, /outside the project directory/);
} finally {
  judge.close();
  for (const server of servers) server.close().closeAllConnections();
  rmSync(base, { recursive: true, force: true });
}

/** The reply of a model that makes this call. */
function replyWith({ name, arguments: given }) {
  const call = { id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(given) } };
  const message = { role: 'assistant', content: null, tool_calls: [call] };
  return {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
  };
}

function listen(server) {
  servers.push(server);
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${server.address().port}`));
  });
}
