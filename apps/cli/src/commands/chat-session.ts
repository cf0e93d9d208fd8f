import { createInterface, type Interface } from 'node:readline';
import { type AssistantEvent, EDIT_CONTINUATION_INPUT, isEnd, PLAN_APPROVAL_INPUT } from '@croft/assistant';
import { croftBaseDir } from '@croft/workspace';
import { type ChatBackend, type Continues, openProposals, type Proposal } from '../chat/chat-backend.ts';
import { openFileBackend } from '../chat/file-backend.ts';
import { openServerBackend } from '../chat/server-backend.ts';
import { promptOf } from '../chat/prompt-of.ts';
import { createEventView } from '../chat/show-event.ts';
import { keyFor } from '../flows-bridge/server-keys.ts';
import { EXIT_INTERRUPTED } from '../render/ask-person.ts';
import { palette } from '../render/colours.ts';
import { printable, printableJson, printableName } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import type { ChatFlags } from './chat-flags.ts';

/** A person at the terminal, or a program behind the streams. */
interface Person {
  /** The next message; undefined at the end. */
  next(): Promise<string | undefined>;
  /** The first choice that the answer begins with, else the default. Programs get the default. */
  choose(question: string, choices: readonly string[], byDefault: string): Promise<string>;
  /** Called for Ctrl-C. */
  onInterrupt: () => void;
  close(): void;
}

/** Runs a conversation until its messages end. Sets the exit code. */
export async function runChat(file: string, flags: ChatFlags): Promise<void> {
  if (flags.flow !== undefined && flags.server === undefined) throw new UsageError('--flow is for --server');
  const person = openPerson(flags);
  const confirm = async (what: string): Promise<boolean> =>
    flags.yes === true ||
    (await person.choose(`The assistant wants to ${printableName(what)}. Allow?`, ['yes', 'no'], 'no')) === 'yes';
  const backend = await openBackend(file, flags, confirm).catch((error: unknown) => {
    person.close();
    throw error;
  });
  try {
    if (process.stdin.isTTY && flags.json !== true && flags.message.length === 0)
      process.stderr.write(
        `${palette(process.stderr).dim(`${printableName(backend.about)}. Write what the flow should do; Ctrl-C ends.`)}\n`,
      );
    for (;;) {
      const message = await person.next();
      if (message === undefined) break;
      if (message.trim() !== '') await converse(backend, person, message, flags);
    }
  } finally {
    person.close();
    await backend.close();
  }
}

function openBackend(
  file: string,
  flags: ChatFlags,
  confirm: (what: string) => Promise<boolean>,
): Promise<ChatBackend> {
  const { server, flow, model, dir } = flags;
  const skipAll = flags.yes === true;
  if (server === undefined) return openFileBackend({ ...flags, file, dir, model, skipAll, confirm });
  const address = server.replace(/\/+$/, '');
  return openServerBackend({
    server: address,
    key: keyFor(address, croftBaseDir(), process.env),
    flow,
    model,
    skipAll,
  });
}

/** One message, the decisions about what it proposed, and what follows from them. */
async function converse(backend: ChatBackend, person: Person, first: string, flags: ChatFlags): Promise<void> {
  let message = first;
  let continues: Continues;
  for (;;) {
    const events = await follow(backend, person, { message, continues }, flags);
    const decided = await decideAll(backend, person, openProposals(events), flags);
    const last = events.at(-1);
    if (decided.plan) [message, continues] = [PLAN_APPROVAL_INPUT, 'plan'];
    else if (decided.accepted && last?.event === 'complete' && last.data.continuation_expected)
      [message, continues] = [EDIT_CONTINUATION_INPUT, 'edits'];
    else return;
  }
}

async function follow(
  backend: ChatBackend,
  person: Person,
  { message, continues }: { readonly message: string; readonly continues: Continues },
  flags: ChatFlags,
): Promise<AssistantEvent[]> {
  const turn = backend.send(message, continues);
  const show =
    flags.json === true
      ? (event: AssistantEvent) => void process.stdout.write(`${printableJson(event)}\n`)
      : createEventView({ out: process.stdout, err: process.stderr });
  const events: AssistantEvent[] = [];
  person.onInterrupt = turn.cancel;
  try {
    for await (const event of turn.events) {
      show(event);
      if (event.event === 'question') {
        const byDefault = flags.yes === true && event.kind !== 'question' ? event.choices[0] : event.default;
        const choice = await person.choose(event.text, event.choices, byDefault ?? event.choices.at(-1) ?? '');
        person.onInterrupt = turn.cancel;
        await turn.answer(event.id, choice);
      }
      if (event.event !== 'token') events.push(event);
      if (isEnd(event)) break;
    }
  } finally {
    person.onInterrupt = () => process.exit(EXIT_INTERRUPTED);
  }
  const last = events.at(-1)?.event;
  const lastCall = events.findLast((each) => each.event === 'tool_end');
  const isDone = last === 'complete' && lastCall?.ok !== false;
  process.exitCode = isDone ? 0 : last === 'cancelled' ? EXIT_INTERRUPTED : 1;
  return events;
}

/** Asks about each proposal. `plan`: a plan was approved; `accepted`: a field was changed. */
async function decideAll(backend: ChatBackend, person: Person, proposals: readonly Proposal[], flags: ChatFlags) {
  const done = { plan: false, accepted: false };
  const { red, dim } = palette(process.stderr);
  for (const proposal of proposals) {
    const choice = await choiceFor(person, proposal, flags.yes === true);
    try {
      await backend.decide(proposal, choice);
    } catch (error) {
      process.stderr.write(`${red(printable(error instanceof Error ? error.message : String(error)))}\n`);
      process.exitCode = 1;
      continue;
    }
    if (proposal.action === 'propose_plan') done.plan ||= choice === 'continue';
    else if (proposal.action === 'edit_field') done.accepted ||= choice === 'accept';
    if (flags.json !== true) process.stderr.write(`${dim(DONE[choice] ?? choice)}\n`);
  }
  return done;
}

const DONE: Readonly<Record<string, string>> = {
  add: 'Added to the flow.',
  replace: 'Replaced the flow.',
  accept: 'Changed.',
  dismiss: 'Not changed.',
  continue: 'Going on.',
};

function choiceFor(person: Person, proposal: Proposal, acceptsAll: boolean): Promise<string> {
  if (proposal.action === 'propose_plan')
    return person.choose('Go on with this plan?', ['continue', 'dismiss'], acceptsAll ? 'continue' : 'dismiss');
  if (proposal.action === 'edit_field')
    return person.choose(`${proposal.description}?`, ['accept', 'dismiss'], acceptsAll ? 'accept' : 'dismiss');
  const canAdd = proposal.no_add === undefined;
  const choices = canAdd ? ['add', 'replace', 'dismiss'] : ['replace', 'dismiss'];
  const question = `Put ${proposal.name} into the flow?${canAdd ? '' : ` ${proposal.no_add}`}`;
  return person.choose(question, choices, acceptsAll ? (choices[0] as string) : 'dismiss');
}

/** Questions go to a person only at a terminal; a program gets the answer that changes nothing, unless --yes is set. */
function openPerson({ message, json, yes }: ChatFlags): Person {
  const isAttended = process.stdin.isTTY === true && json !== true;
  const waiting = [...message];
  const terminal =
    message.length > 0 && !isAttended
      ? undefined
      : createInterface({ input: process.stdin, output: process.stderr, terminal: isAttended });
  const lines = terminal && linesOf(terminal);
  const person: Person = {
    onInterrupt: () => process.exit(EXIT_INTERRUPTED),
    async next() {
      if (message.length > 0) return waiting.shift();
      if (isAttended) terminal?.setPrompt('> ');
      if (isAttended) terminal?.prompt();
      return lines?.();
    },
    async choose(question, choices, byDefault) {
      if (!isAttended || yes === true) return byDefault;
      process.stderr.write(promptOf(question, choices, byDefault));
      const answer = (await lines?.())?.trim().toLowerCase() ?? '';
      const found = answer === '' ? undefined : choices.find((each) => each.toLowerCase().startsWith(answer));
      return found ?? byDefault;
    },
    close: () => terminal?.close(),
  };
  const interrupt = () => person.onInterrupt();
  terminal?.on('SIGINT', interrupt);
  process.on('SIGINT', interrupt);
  return person;
}

/** Lines of a stream, one a call; undefined after the last one. */
function linesOf(terminal: Interface): () => Promise<string | undefined> {
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
  return () =>
    new Promise((resolve) => {
      const line = read.shift();
      if (line !== undefined || isOver) resolve(line);
      else wanted.push(resolve);
    });
}
