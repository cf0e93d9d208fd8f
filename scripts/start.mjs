// npm start: installs and builds what is missing, then runs `croft serve` with whatever follows `--`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, install, requireNode, root } from './prepare.mjs';

requireNode();
install();
build();
const child = spawn(process.execPath, [join(root, 'apps/cli/dist/croft.cjs'), 'serve', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// The terminal sends Ctrl+C to both; this process only waits for the server to end in order.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => signal === 'SIGTERM' && child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 0 : (code ?? 1)));
