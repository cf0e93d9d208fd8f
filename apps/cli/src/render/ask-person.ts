import { createInterface } from 'node:readline/promises';

/** What a shell reports of a program ended by SIGINT. */
export const EXIT_INTERRUPTED = 130;

/** Asks a question on the terminal; only `y` and `yes` mean yes, the end of input means no, and Ctrl+C ends Croft. */
export async function askPerson(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Readline would take it as the end of this question, and the next one would follow.
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
