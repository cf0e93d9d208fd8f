import { palette } from '../render/colours.ts';
import { printable } from '../render/printable.ts';
import type { ChatBackend } from './chat-backend.ts';

/** A command of the chat. Only its exact text is one; anything else is a message. */
const COMMANDS: readonly { readonly names: readonly string[]; readonly about: string }[] = [
  { names: ['/help'], about: 'show this' },
  { names: ['/undo'], about: 'take back what the last message with changes did to the flow and files' },
  { names: ['/new'], about: 'begin a new conversation about the same flow' },
  { names: ['/skip-all'], about: 'use plans and built flows without asking; again to turn it off' },
  { names: ['/quit', '/exit'], about: 'end the chat, as Ctrl-D does' },
];

const HELP = [
  ...COMMANDS.map(({ names, about }) => `  ${names.join(', ').padEnd(14)}${about}`),
  '',
  '  Ctrl-C        stops a reply, and keeps what was changed; at the prompt it ends the chat',
  '  y, n          answer a question; a number, the first letters of a choice and Enter do too',
  '',
  'Anything else is a message to the assistant; write help for examples. The command croft undo takes back files of runs, too.',
].join('\n');

const SKIP_ALL_ON = 'Plans and built flows are used without asking. Send /skip-all again to turn it off.';
const SKIP_ALL_OFF = 'You decide about plans and built flows again.';

/** A word behind a slash. A path has another slash or a dot. */
const COMMAND = /^\/[a-z-]+$/i;

/**
 * Carries out the command that a line is.
 *
 * @returns undefined for a message; `end` to end the chat
 */
export async function runCommand(line: string, backend: ChatBackend): Promise<'done' | 'end' | undefined> {
  const text = line.trim();
  if (!COMMAND.test(text)) return undefined;
  const name = COMMANDS.find(({ names }) => names.includes(text))?.names[0];
  if (name === '/quit') return 'end';
  const { dim } = palette(process.stderr);
  try {
    process.stderr.write(`${dim(printable(await answerTo(name, text, backend)))}\n`);
  } catch (error) {
    showFailure(error);
  }
  return 'done';
}

/** Shows a failure after which the chat goes on. Sets the exit code. */
export function showFailure(error: unknown): void {
  const { red } = palette(process.stderr);
  process.stderr.write(`${red(printable(error instanceof Error ? error.message : String(error)))}\n`);
  process.exitCode = 1;
}

async function answerTo(name: string | undefined, text: string, backend: ChatBackend): Promise<string> {
  switch (name) {
    case '/help':
      return HELP;
    case '/undo':
      return backend.undo();
    case '/new':
      await backend.newSession();
      return 'A new conversation. The flow stays as it is.';
    case '/skip-all':
      backend.skipAll = !backend.skipAll;
      return backend.skipAll ? SKIP_ALL_ON : SKIP_ALL_OFF;
    default:
      throw new Error(`There is no command ${text}. /help lists the commands.`);
  }
}
