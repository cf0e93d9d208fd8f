import { type AssistantEvent, EDIT_CONTINUATION_INPUT, evidenceOf, isEnd, PLAN_APPROVAL_INPUT } from '@croft/assistant';
import { croftBaseDir } from '@croft/workspace';
import { type ChatBackend, type Continues, openProposals, type Proposal } from '../chat/chat-backend.ts';
import { openFileBackend } from '../chat/file-backend.ts';
import { openServerBackend } from '../chat/server-backend.ts';
import { runCommand, showFailure } from '../chat/chat-commands.ts';
import { openPerson, type Person } from '../chat/person.ts';
import { createEventView } from '../chat/show-event.ts';
import { keyFor } from '../flows-bridge/server-keys.ts';
import { EXIT_INTERRUPTED } from '../render/ask-person.ts';
import { palette } from '../render/colours.ts';
import { printable, printableJson, printableName } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import type { ChatFlags } from './chat-flags.ts';

/** Runs a conversation until its messages end. Sets the exit code. */
export async function runChat(file: string, flags: ChatFlags): Promise<void> {
  if (flags.flow !== undefined && flags.server === undefined) throw new UsageError('--flow is for --server');
  const { message: messages, json, yes } = flags;
  const isAttended = process.stdin.isTTY === true && json !== true;
  // A person sees a failure before the next message. Messages of the command line may depend on the ones before.
  const outlivesFailures = isAttended && messages.length === 0;
  const person = openPerson({
    input: process.stdin,
    output: process.stderr,
    isAttended,
    messages,
    acceptsAll: yes === true,
  });
  const confirm = async (what: string): Promise<boolean> => {
    const text = `The assistant wants to ${printableName(what)}. Allow?`;
    return yes === true || (await person.choose({ text, choices: ['yes', 'no'], byDefault: 'no' })) === 'yes';
  };
  const backend = await openBackend(file, flags, confirm).catch((error: unknown) => {
    person.close();
    throw error;
  });
  const { dim } = palette(process.stderr);
  // Once: Ctrl-C closes before the end of the process.
  let closing: Promise<void> | undefined;
  const close = () =>
    (closing ??= backend
      .close()
      .then((did) => void (did !== undefined && process.stderr.write(`${dim(printable(did))}\n`))));
  const leave = () => {
    // A second Ctrl-C does not wait for a server that does not answer.
    if (closing !== undefined) process.exit(EXIT_INTERRUPTED);
    void close()
      .catch(() => undefined)
      .finally(() => process.exit(EXIT_INTERRUPTED));
  };
  person.onInterrupt = leave;
  try {
    if (backend.newFlow !== undefined)
      process.stderr.write(`${dim(printableName(`New flow ${backend.newFlow}: ${backend.about}`))}\n`);
    if (outlivesFailures)
      process.stderr.write(
        `${palette(process.stderr).dim(`${printableName(backend.about)}. Write what the flow should do. /help lists commands, Ctrl-C ends.`)}\n`,
      );
    for (;;) {
      const message = await person.next();
      if (message === undefined) break;
      if (message.trim() === '') continue;
      const command = await runCommand(message, backend);
      if (command === 'end') break;
      if (command !== undefined) continue;
      try {
        await converse(backend, person, message, flags);
      } catch (error) {
        if (!outlivesFailures) throw error;
        showFailure(error);
      }
    }
  } finally {
    person.close();
    await close();
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
  const stopped = new AbortController();
  const atPrompt = person.onInterrupt;
  person.onInterrupt = () => {
    stopped.abort();
    turn.cancel();
  };
  try {
    for await (const event of turn.events) {
      show(event);
      if (event.event === 'question') {
        const takesAny = event.kind === 'question';
        const byDefault =
          (flags.yes === true && !takesAny ? event.choices[0] : event.default) ?? event.choices.at(-1) ?? '';
        const { text, choices } = event;
        const choice = await person.choose({ text, choices, byDefault, takesAny });
        if (!stopped.signal.aborted) await turn.answer(event.id, choice);
      }
      if (event.event !== 'token') events.push(event);
      if (isEnd(event)) break;
    }
  } finally {
    person.onInterrupt = atPrompt;
  }
  const last = events.at(-1);
  const lastCall = events.findLast((each) => each.event === 'tool_end');
  const isDone =
    last?.event === 'complete' &&
    last.data.outcome === 'done' &&
    lastCall?.ok !== false &&
    evidenceOf(events).run !== 'failed';
  process.exitCode = isDone ? 0 : last?.event === 'cancelled' ? EXIT_INTERRUPTED : 1;
  return events;
}

/** Asks about each proposal. `plan`: a plan was approved; `accepted`: a field was changed. */
async function decideAll(backend: ChatBackend, person: Person, proposals: readonly Proposal[], flags: ChatFlags) {
  const done = { plan: false, accepted: false };
  const { red, dim } = palette(process.stderr);
  for (const proposal of proposals) {
    const choice = await choiceFor(person, proposal, flags.yes === true);
    if (choice === 'dismiss' && !person.isAttended) {
      // No person decided: the proposal waits until the next message.
      process.stderr.write(`${red('Not changed: without a terminal, --yes accepts what is proposed.')}\n`);
      process.exitCode = 1;
      continue;
    }
    try {
      await backend.decide(proposal, choice);
    } catch (error) {
      showFailure(error);
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
  const ask = (text: string, choices: readonly [string, ...string[]]) =>
    person.choose({ text, choices, byDefault: acceptsAll ? choices[0] : 'dismiss' });
  if (proposal.action === 'propose_plan') return ask('Go on with this plan?', ['continue', 'dismiss']);
  if (proposal.action === 'edit_field') return ask(`${proposal.description}?`, ['accept', 'dismiss']);
  const { name, no_add } = proposal;
  if (no_add === undefined) return ask(`Put ${name} into the flow?`, ['add', 'replace', 'dismiss']);
  return ask(`Put ${name} into the flow? ${no_add}`, ['replace', 'dismiss']);
}
