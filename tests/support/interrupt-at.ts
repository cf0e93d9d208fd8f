import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** For tests: sends SIGINT to a program when it prints a text. @returns its exit code */
export async function interruptAt(child: ChildProcess, text: string): Promise<number | null> {
  let isInterrupted = false;
  child.stdout?.on('data', (chunk: Buffer) => {
    if (isInterrupted || !chunk.includes(text)) return;
    isInterrupted = true;
    child.kill('SIGINT');
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
