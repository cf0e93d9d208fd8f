// A worker in a separate process: `node worker-process.mjs SETTINGS`, where SETTINGS is JSON over the defaults. Prints `ready`, or
// the sentence with which it refuses. It stops when its input ends.
import { loadConfig } from '../../apps/server/dist/config/load-config.js';
import { createLog } from '../../apps/server/dist/log.js';
import { startWorker } from '../../apps/server/dist/start-worker.js';

const settings = JSON.parse(process.argv[2]);
const { values } = await loadConfig({ baseDir: settings.baseDir }, { env: {} });
const worker = startWorker({ settings: { ...values, ...settings }, log: createLog('silent') });
process.stdin.resume().on('end', () => void worker.close().then(() => process.exit(0)));
await worker.ready.then(
  () => process.stdout.write('ready\n'),
  (error) => process.stdout.write(`${error.message}\n`),
);
