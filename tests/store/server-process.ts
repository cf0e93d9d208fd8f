import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../apps/server/src/config/settings.ts';

const PROGRAM = fileURLToPath(new URL('./server-process.mjs', import.meta.url));

/** For tests: a whole server in a separate process. */
export interface ServerProcess {
  readonly child: ChildProcess;
  /** Its address when it is ready. Rejects with its sentence when it refuses to start. */
  readonly url: Promise<string>;
  /** Entries of its log, as JSON. */
  readonly lines: readonly string[];
  /** Stops it, and waits until it has ended. */
  stop(): Promise<void>;
}

/**
 * For tests: starts a server; with `diskBytes`, its workspaces are on a file system of that size, which only it and
 * paths below `/proc/<pid>/root` see.
 */
export function startServerProcess(
  settings: Partial<Settings> & { readonly baseDir: string },
  { diskBytes }: { readonly diskBytes?: number } = {},
): ServerProcess {
  const command = [process.execPath, PROGRAM, JSON.stringify(settings)];
  const workspaces = join(settings.baseDir, 'workspaces');
  if (diskBytes !== undefined) mkdirSync(workspaces, { recursive: true });
  const mounted = ['-m', 'sh', '-c', 'mount -t tmpfs -o "size=$0" tmpfs "$1" && shift && exec "$@"'];
  const [program = '', ...args] =
    diskBytes === undefined ? command : ['unshare', ...mounted, String(diskBytes), workspaces, ...command];
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines: string[] = [];
  const url = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as { ready?: string; refused?: string; log?: string };
      if (line.log !== undefined) lines.push(line.log);
      if (line.ready !== undefined) resolve(line.ready);
      if (line.refused !== undefined) reject(new Error(line.refused));
    });
    void ended.then(() => reject(new Error('the server ended before it was ready')));
  });
  url.catch(() => {});
  return {
    child,
    url,
    lines,
    async stop() {
      child.stdin?.on('error', () => {}).end();
      await ended;
    },
  };
}
