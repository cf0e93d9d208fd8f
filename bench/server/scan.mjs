// Creates a project of exactly 10,000 entries, and scans it in a process of its own, as the daemon does before it
// connects.
import { fork } from 'node:child_process';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIRECTORIES = 640;
const ENTRIES = 10_000;

if (process.send) await scan(process.argv[2]);

/** Creates the project: directories up to five levels deep, with files of various names. */
export function makeProject(dir) {
  const directories = [''];
  for (let n = 0; directories.length <= DIRECTORIES; n++) {
    const parent = directories[Math.floor(n / 5)];
    const path = join(parent, `module-${n}`);
    mkdirSync(join(dir, path));
    directories.push(path);
  }
  for (let n = 0; n < ENTRIES - DIRECTORIES; n++)
    writeFileSync(join(dir, directories[n % directories.length], `part-${n}.ts`), `export const n${n} = ${n};\n`);
}

/** @returns {Promise<{wallMs: number, cpuMs: number, entries: number, truncated: boolean}>} */
export function scanOnce(dir) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [dir]);
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the scan ended with ${code}`)));
  });
}

async function scan(dir) {
  const { scanTree } = await import('../../packages/gateway/dist/daemon/index.js');
  const { openWorkspace } = await import('../../packages/workspace/dist/index.js');
  const { DAEMON_EXCLUDES } = await import('../../packages/tools/dist/index.js');
  // As `croft connect` opens it. With a base directory, the scan checks every directory to leave it out.
  mkdirSync(`${dir}-base`, { recursive: true });
  const workspace = openWorkspace(dir, { baseDir: `${dir}-base`, readOnly: true, denyList: true });
  const start = performance.now();
  const cpu = process.cpuUsage();
  const { entries, truncated } = await scanTree(workspace, { excludeNames: new Set(DAEMON_EXCLUDES) });
  const { user, system } = process.cpuUsage(cpu);
  const wallMs = performance.now() - start;
  workspace.close();
  rmdirSync(`${dir}-base`);
  process.send({ wallMs, cpuMs: (user + system) / 1e3, entries: entries.length, truncated });
  process.disconnect();
}
