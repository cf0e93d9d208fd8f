import { beforeEach, expect, it } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import type { ChatBackend } from './chat-backend.ts';
import { runCommand } from './chat-commands.ts';

let output: { err: string };
let called: string[];
beforeEach(() => {
  output = captureOutput();
  called = [];
});

const backend = (undo = async () => 'Undone.') =>
  ({ skipAll: false, undo, newSession: async () => void called.push('new') }) as unknown as ChatBackend;

it('takes only a word behind a slash as a command', async () => {
  for (const line of ['help', '/etc/passwd', '/notes.md', '/undo that', '', '/', 'x /undo'])
    expect(await runCommand(line, backend())).toBeUndefined();
  expect(output.err).toBe('');
});

it('ends the chat', async () => {
  expect(await runCommand(' /quit ', backend())).toBe('end');
  expect(await runCommand('/exit', backend())).toBe('end');
  expect(output.err).toBe('');
});

it('lists the commands', async () => {
  expect(await runCommand('/help', backend())).toBe('done');
  expect(output.err).toBe(`\
  /help         show this
  /undo         take back what the last message with changes did to the flow and files
  /new          begin a new conversation about the same flow
  /skip-all     use plans and built flows without asking; again to turn it off
  /quit, /exit  end the chat, as Ctrl-D does

  Ctrl-C        stops a reply, and keeps what was changed; at the prompt it ends the chat
  y, n          answer a question; a number, the first letters of a choice and Enter do too

Anything else is a message to the assistant; write help for examples. The command croft undo takes back files of runs, too.
`);
});

it('says what a command did, without control characters', async () => {
  await runCommand(
    '/undo',
    backend(async () => 'Done\u001b.'),
  );
  await runCommand('/new', backend());
  expect(output.err).toBe('Done\\u001b.\nA new conversation. The flow stays as it is.\n');
  expect(called).toEqual(['new']);
  expect(process.exitCode).not.toBe(1);
});

it('turns questions off and on', async () => {
  const made = backend();
  await runCommand('/skip-all', made);
  expect(made.skipAll).toBe(true);
  await runCommand('/skip-all', made);
  expect(made.skipAll).toBe(false);
  expect(output.err).toBe(
    'Plans and built flows are used without asking. Send /skip-all again to turn it off.\nYou decide about plans and built flows again.\n',
  );
});

it('says what failed and ends with another code', async () => {
  expect(await runCommand('/Undo', backend())).toBe('done');
  await runCommand(
    '/undo',
    backend(() => Promise.reject(new Error('nothing\u0007'))),
  );
  await runCommand(
    '/undo',
    backend(() => Promise.reject('text')),
  );
  expect(output.err).toBe('There is no command /Undo. /help lists the commands.\nnothing\\u0007\ntext\n');
  expect(process.exitCode).toBe(1);
});
