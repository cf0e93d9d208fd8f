import { parentPort, workerData } from 'node:worker_threads';
import type { SandboxAnswer, SandboxData, SandboxHail, SandboxJob } from './messages.ts';
import type { QuickJsRows } from './quickjs-rows.ts';
import { ownTask } from './thread-clock.ts';

/**
 * The sandbox's thread. Code runs in QuickJS, whose memory is one WebAssembly memory; the thread gives it a log and
 * nothing else. The other end stops the thread when a job takes too long.
 */
const { wasm } = workerData as SandboxData;
let rows: QuickJsRows | undefined;

const begin = ({ id }: SandboxJob) => parentPort?.postMessage({ id, begun: true } satisfies SandboxAnswer);

async function answer(job: SandboxJob): Promise<SandboxAnswer> {
  if (job.kind === 'read') {
    const { readSource } = await import('./read-source.ts');
    begin(job);
    return { id: job.id, read: readSource(job.source) };
  }
  if (job.kind === 'search') {
    const { search } = await import('./search.ts');
    begin(job);
    return { id: job.id, searched: await search(job.search) };
  }
  if (rows?.session !== job.session || rows.isSpent) {
    const { QuickJsRows } = await import('./quickjs-rows.ts');
    rows = await QuickJsRows.open(wasm, job);
  }
  if (!job.isOpen) begin(job);
  return { id: job.id, row: rows.run(job) };
}

parentPort?.on('message', (job: SandboxJob) => {
  // A fault of this program ends the thread: the other end reports it.
  void answer(job).then((each) => {
    parentPort?.postMessage(each);
    // While the other end uses the answer.
    if (job.kind === 'row') rows?.prepare();
  });
});
parentPort?.postMessage({ task: ownTask() } satisfies SandboxHail);
