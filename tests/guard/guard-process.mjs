// Runs the built guard in a process of its own, so that its memory can be measured apart from the test's. Takes
// `{upstream, root, limits}` as JSON in its argument. Sends its port over IPC, and its peak memory on each message.
import { readFileSync } from 'node:fs';
import { createGuardProxy, createJudge, defaultPolicy, openPlace } from '../../packages/guard/dist/index.js';

const { upstream, root, limits } = JSON.parse(process.argv[2]);
const policy = defaultPolicy();
const judge = createJudge(policy, openPlace(policy, root));
const server = createGuardProxy({
  upstreams: [{ prefix: '', url: new URL(upstream) }],
  judgeFor: () => ({ judge: (call) => judge.judge(call), enforce: true }),
  limits,
});
process.on('message', () => process.send({ peakMb: peakKb() * 1_024e-6 }));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', 4_096, () => process.send({ port: server.address().port }));

/** The peak memory of this process. `getrusage` would at first report the parent's. */
function peakKb() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'latin1'))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
