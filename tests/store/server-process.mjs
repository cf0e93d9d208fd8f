// A whole server in a separate process: `node server-process.mjs SETTINGS`, where SETTINGS is JSON over the defaults.
// Prints one JSON object per line: {"ready": url} or {"refused": sentence}, and the entries of the log as {"log": text}.
// It stops when its input ends, at the latest with the process that started it.
import { loadConfig } from '../../apps/server/dist/config/load-config.js';
import { createLog } from '../../apps/server/dist/log.js';
import { startServer } from '../../apps/server/dist/start-server.js';

const settings = JSON.parse(process.argv[2]);
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const { values } = await loadConfig({ baseDir: settings.baseDir }, { env: {} });
const log = createLog('debug', (text) => print({ log: text }), false);
const running = await startServer({ settings: { ...values, port: 0, ...settings }, version: '0.0.0-test', log });
process.stdin.resume().on('end', () => void running.close().then(() => process.exit(0)));
try {
  await running.ready;
  print({ ready: running.url });
} catch (error) {
  print({ refused: error.message });
}
