import { createInterface } from 'node:readline/promises';
import type { PageAccess, PageVerdict } from '@croft/gateway/daemon';
import { palette } from '../render/colours.ts';
import { printableName } from '../render/printable.ts';

/** Long enough for what waits in the terminal to arrive. */
const TYPED_AHEAD_MS = 100;

/** What is shown of a page that wants to connect, and what can be answered. */
export function describeQuestion({ origin, directory, mayWrite }: PageAccess, stream: { isTTY?: boolean }): string {
  const { bold, yellow, dim } = palette(stream);
  return [
    '',
    bold('A web page nobody here knows wants to connect this directory to its server.'),
    `  Page       ${yellow(printableName(origin))}`,
    `  Directory  ${printableName(directory)}`,
    `  It may     ${mayWrite ? 'read, search and CHANGE the files in it' : 'read and search the files in it, and change nothing'}`,
    dim('  If you did not just open that page to connect this directory, say no.'),
    '  [o] allow once   [a] always allow   [n] no   [v] never',
    '  Answer [n]: ',
  ].join('\n');
}

/** Reads an answer; what is not one of them is a no. */
export function parseVerdict(answer: string): PageVerdict {
  switch (answer.trim().toLowerCase()) {
    case 'o':
    case 'once':
      return 'allow_once';
    case 'a':
    case 'always':
      return 'allow_always';
    case 'v':
    case 'never':
      return 'deny_always';
    default:
      return 'deny_once';
  }
}

/** Puts the question on the terminal. Ctrl+C is for the program, and a no here. */
export async function askOnTerminal(question: PageAccess, signal: AbortSignal): Promise<PageVerdict> {
  await dropTypedAhead();
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.once('SIGINT', () => {
    terminal.close();
    process.kill(process.pid, 'SIGINT');
  });
  try {
    const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const answer = terminal.question(describeQuestion(question, process.stdout), { signal });
    return parseVerdict(await Promise.race([answer, ended]));
  } catch {
    // Nobody answered in time.
    process.stdout.write('\n');
    return 'deny_once';
  } finally {
    terminal.close();
  }
}

/** Keys pressed before the question was there answer nothing. */
async function dropTypedAhead(): Promise<void> {
  const drop = (): void => {};
  process.stdin.on('data', drop);
  await new Promise((resolve) => setTimeout(resolve, TYPED_AHEAD_MS));
  process.stdin.off('data', drop);
}
