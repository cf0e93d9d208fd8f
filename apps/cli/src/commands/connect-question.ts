import { createInterface } from 'node:readline/promises';
import type { PageAccess, PageVerdict } from '@croft/gateway/daemon';
import { palette } from '../render/colours.ts';
import { printableName } from '../render/printable.ts';

/** Time in which keys typed before the question arrive from the terminal. */
const TYPED_AHEAD_MS = 100;

/** Describes the page that wants to connect, and the possible answers. */
export function describeQuestion({ origin, directory, mayWrite }: PageAccess, stream: { isTTY?: boolean }): string {
  const { bold, yellow, dim } = palette(stream);
  return [
    '',
    bold('An unknown web page wants to connect this directory to its server.'),
    `  Page       ${yellow(printableName(origin))}`,
    `  Directory  ${printableName(directory)}`,
    `  It may     ${mayWrite ? 'read, search and CHANGE the files in it' : 'read and search the files in it, and change nothing'}`,
    dim('  If you did not just open that page to connect this directory, answer no.'),
    '  [o] allow once   [a] always allow   [n] no   [v] never',
    '  Answer [n]: ',
  ].join('\n');
}

/** Parses an answer. Any other text means `deny_once`. */
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

/** Asks on the terminal. Ctrl+C denies and sends SIGINT to the program; the end of the time denies. */
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
    // No answer in time.
    process.stdout.write('\n');
    return 'deny_once';
  } finally {
    terminal.close();
  }
}

/** Discards keys that were pressed before the question appeared, so that they do not answer it. */
async function dropTypedAhead(): Promise<void> {
  const drop = (): void => {};
  // The question before this one paused the input, and a listener does not resume it.
  process.stdin.on('data', drop).resume();
  await new Promise((resolve) => setTimeout(resolve, TYPED_AHEAD_MS));
  process.stdin.off('data', drop);
}
