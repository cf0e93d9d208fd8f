import { createInterface } from 'node:readline/promises';

/** Exit code of a program that SIGINT ended, as shells report it. */
export const EXIT_INTERRUPTED = 130;

/** Asks a question on the terminal. Only `y` and `yes` mean yes; the end of input means no; Ctrl+C ends the process. */
export async function askPerson(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Readline would only end this question, and the program would ask the next one.
  terminal.once('SIGINT', () => {
    process.stdout.write('\n');
    process.exit(EXIT_INTERRUPTED);
  });
  try {
    const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const answer = await Promise.race([terminal.question(question), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
