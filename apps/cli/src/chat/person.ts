import { createInterface, type Interface } from 'node:readline';
import { EXIT_INTERRUPTED } from '../render/ask-person.ts';
import { printableName } from '../render/printable.ts';
import { choiceOf, promptOf, type Question } from './question.ts';

/** A person at the terminal, or a program behind the streams. */
export interface Person {
  /** Whether a person answers questions. */
  readonly isAttended: boolean;
  /** The next message; undefined at the end. */
  next(): Promise<string | undefined>;
  /** The choice of the person; the default for programs, at the end of the input, and at Ctrl-C. */
  choose(question: Question): Promise<string>;
  /** Called for Ctrl-C. */
  onInterrupt: () => void;
  close(): void;
}

export interface PersonOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Whether a person answers questions. */
  readonly isAttended: boolean;
  /** Messages of the command line. They take the place of those of the input. */
  readonly messages: readonly string[];
  /** Accept everything without a question. */
  readonly acceptsAll: boolean;
}

/** Questions go to a person only at a terminal; a program gets the answer that changes nothing, unless --yes is set. */
export function openPerson({ input, output, isAttended, messages, acceptsAll }: PersonOptions): Person {
  const waiting = [...messages];
  const terminal =
    messages.length > 0 && !isAttended ? undefined : createInterface({ input, output, terminal: isAttended });
  const lines = terminal && linesOf(terminal);
  let asking = new AbortController();
  const person: Person = {
    isAttended,
    onInterrupt: () => process.exit(EXIT_INTERRUPTED),
    async next() {
      if (messages.length > 0) return waiting.shift();
      if (isAttended) terminal?.setPrompt('> ');
      if (isAttended) terminal?.prompt();
      return lines?.next();
    },
    async choose(question) {
      if (!isAttended || acceptsAll) return question.byDefault;
      asking = new AbortController();
      for (;;) {
        output.write(promptOf(question));
        // A line that was typed before the question is a message, and no answer.
        const answer = await lines?.nextNew(asking.signal);
        if (answer === undefined) return question.byDefault;
        const choice = choiceOf(answer, question);
        if (choice !== undefined) return choice;
        output.write(`Answer with one of: ${question.choices.map(printableName).join(', ')}.\n`);
      }
    },
    close: () => terminal?.close(),
  };
  const interrupt = () => {
    asking.abort();
    person.onInterrupt();
  };
  terminal?.on('SIGINT', interrupt);
  process.on('SIGINT', interrupt);
  return person;
}

interface Lines {
  /** The next line; undefined after the last one. */
  next(): Promise<string | undefined>;
  /** The next line from now on. Undefined after the last one, and when the signal aborts. */
  nextNew(signal?: AbortSignal): Promise<string | undefined>;
}

/** Lines of a stream, one a call. */
function linesOf(terminal: Interface): Lines {
  const read: string[] = [];
  const wanted: ((line: string | undefined) => void)[] = [];
  let isOver = false;
  terminal.on('line', (line) => {
    const next = wanted.shift();
    if (next) next(line);
    else read.push(line);
  });
  terminal.on('close', () => {
    isOver = true;
    for (const next of wanted.splice(0)) next(undefined);
  });
  const nextNew = (signal?: AbortSignal) =>
    new Promise<string | undefined>((resolve) => {
      if (isOver || signal?.aborted) return resolve(undefined);
      wanted.push(resolve);
      signal?.addEventListener(
        'abort',
        () => {
          const at = wanted.indexOf(resolve);
          if (at !== -1) wanted.splice(at, 1);
          resolve(undefined);
        },
        { once: true },
      );
    });
  return { nextNew, next: async () => read.shift() ?? nextNew() };
}
