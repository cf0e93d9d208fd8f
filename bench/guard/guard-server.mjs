// The built guard in a process of its own: with the real judge, or (`none`) with one that allows everything.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGuardProxy, createJudge, defaultPolicy, openPlace } from '../../packages/guard/dist/index.js';

const [url, judging] = process.argv.slice(2);

function realJudge() {
  const policy = defaultPolicy();
  return createJudge(policy, openPlace(policy, mkdtempSync(join(tmpdir(), 'croft-bench-guard-'))));
}

const allowed = { decision: 'allow', rule: 'allowed', reason: '', accepted: '', paths: [] };
const judge = judging === 'none' ? { judge: () => allowed } : realJudge();
const server = createGuardProxy({
  upstreams: [{ prefix: '', url: new URL(url) }],
  judgeFor: () => ({ judge: (call) => judge.judge(call), enforce: true }),
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
