import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./store-process.mjs', import.meta.url));

/** For tests: a server's store in a separate process. */
export interface StoreProcess {
  readonly child: ChildProcess;
  /** Rows that the database has acknowledged. */
  readonly wrote: string[];
  readonly lines: string[];
  /** Fulfilled with the first line that matches. */
  said(pattern: RegExp): Promise<string>;
  /** Fulfilled when the process has ended, with its exit code or signal. */
  readonly ended: Promise<number | string | null>;
}

/** For tests: starts it; with `user`, as that user and group. */
export function startStoreProcess(baseDir: string, mode: 'write' | 'idle' = 'idle', user?: number): StoreProcess {
  const child = spawn(process.execPath, [PROGRAM, baseDir, mode], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    ...(user === undefined ? {} : { uid: user, gid: user, env: { ...process.env, HOME: '/nonexistent' } }),
  });
  const wrote: string[] = [];
  const lines: string[] = [];
  const waiting = new Set<{ pattern: RegExp; found: (line: string) => void }>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('wrote ')) wrote.push(line.slice(6));
    else lines.push(line);
    for (const one of waiting)
      if (one.pattern.test(line)) {
        waiting.delete(one);
        one.found(line);
      }
  });
  return {
    child,
    wrote,
    lines,
    said: (pattern) =>
      new Promise((found) => {
        const line = lines.find((one) => pattern.test(one));
        if (line === undefined) waiting.add({ pattern, found });
        else found(line);
      }),
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal))),
  };
}
