// The built server, without sign-in, in a base directory: node killed-server-program.mjs BASE_DIR HOST_OF_FLOWS
// Prints its address when it is ready.
import { loadConfig } from '../../apps/server/dist/config/load-config.js';
import { createLog } from '../../apps/server/dist/log.js';
import { startServer } from '../../apps/server/dist/start-server.js';

const [, , baseDir, host] = process.argv;
const { values } = await loadConfig({ baseDir }, { env: {} });
const running = await startServer({
  settings: { ...values, port: 0, autoLogin: true, flowHosts: [host] },
  version: '0.0.0-bench',
  log: createLog('error', (line) => process.stderr.write(line), false),
});
await running.ready;
console.log(running.url);
