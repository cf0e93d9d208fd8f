import type { AssistantEvent } from '@croft/assistant';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { type ChatBackend, openProposals, type Proposal } from './chat-backend.ts';
import { openFileBackend } from './file-backend.ts';

const BUILD = 'build a flow that reads notes.md from my workspace and shows `notes.md has N words`, then run it';
const SUMMARISE = 'build a flow that summarises notes.md';
let dir: string;
let file: string;
let backend: ChatBackend | undefined;
beforeEach(() => {
  dir = testDir();
  file = join(dir, 'flow.json');
  writeFileSync(join(dir, 'notes.md'), 'one two three');
  vi.stubEnv('CROFT_BASE_DIR', join(testDir(), 'base'));
  for (const name of Object.keys(process.env)) if (name.endsWith('_API_KEY')) vi.stubEnv(name, undefined);
  vi.stubEnv('OLLAMA_BASE_URL', '');
});
afterEach(async () => {
  await backend?.close();
  backend = undefined;
  vi.unstubAllEnvs();
});

async function open(more: Partial<Parameters<typeof openFileBackend>[0]> = {}): Promise<ChatBackend> {
  const flags = { allowHost: [], allowCommand: [], credential: [] };
  backend = await openFileBackend({
    ...flags,
    file,
    dir: undefined,
    model: undefined,
    skipAll: false,
    confirm: async () => true,
    ...more,
  });
  return backend;
}
async function say(chat: ChatBackend, message: string): Promise<AssistantEvent[]> {
  const events: AssistantEvent[] = [];
  const turn = chat.send(message);
  for await (const event of turn.events) {
    if (event.event === 'question') await turn.answer(event.id, event.choices[0] ?? '');
    events.push(event);
  }
  return events;
}
const nodes = () => (JSON.parse(readFileSync(file, 'utf8')) as { nodes: { id: string; values: object }[] }).nodes;
const proposal = (events: readonly AssistantEvent[]) => openProposals(events)[0] as Proposal;

describe('the assistant of a flow in a file', () => {
  it('puts a built flow into the file with skipAll, and runs it on the files beside', async () => {
    const chat = await open({ skipAll: true });
    expect([chat.about, chat.skipAll]).toEqual([file, true]);
    const events = await say(chat, BUILD);
    expect(JSON.stringify(events)).toContain('notes.md has 3 words');
    expect(nodes().length).toBeGreaterThan(1);
    expect(await chat.undo()).toBe(`The last change of ${file} is undone.`);
    expect(nodes()).toEqual([]);
    await expect(chat.undo()).rejects.toThrow('There is nothing to undo in this chat.');
  });

  it('reads the files of --dir', async () => {
    const other = join(dir, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'notes.md'), 'one');
    expect(JSON.stringify(await say(await open({ skipAll: true, dir: other }), BUILD))).toContain(
      'notes.md has 1 word',
    );
  });

  it('leaves a built flow to the decision of the user', async () => {
    const chat = await open();
    const built = proposal(await say(chat, SUMMARISE));
    await chat.decide(built, 'dismiss');
    expect(existsSync(file)).toBe(false);
    await chat.decide(built, 'replace');
    expect(nodes().length).toBeGreaterThan(1);
  });

  it('keeps the earlier file where it replaces a flow', async () => {
    const chat = await open({ skipAll: true });
    await say(chat, BUILD);
    const before = readFileSync(file, 'utf8');
    await chat.close();
    const later = await open();
    await later.decide(proposal(await say(later, SUMMARISE)), 'replace');
    expect(readFileSync(file, 'utf8')).not.toBe(before);
    expect(readFileSync(`${file}.before-chat`, 'utf8')).toBe(before);
    await later.undo();
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('adds a flow beside the one in the file, if that is possible', async () => {
    const chat = await open({ skipAll: true });
    await say(chat, BUILD);
    const count = nodes().length;
    chat.skipAll = false;
    const built = proposal(await say(chat, SUMMARISE)) as Extract<Proposal, { action: 'set_flow' }>;
    const added = chat.decide(built, 'add');
    if (built.no_add === undefined) {
      await added;
      expect(nodes()).toHaveLength(count + built.node_count);
    } else await expect(added).rejects.toThrow(built.no_add);
  });

  it('changes a field, unless it was changed meanwhile', async () => {
    const chat = await open({ skipAll: true });
    await say(chat, BUILD);
    const [node] = nodes();
    const change = (old_value: unknown, id = node?.id) =>
      chat.decide(
        {
          action: 'edit_field',
          id: 'p',
          component_id: id,
          field: 'x',
          old_value,
          new_value: 'new',
          description: 'd',
        } as never,
        'accept',
      );
    await expect(change('other')).rejects.toThrow(`'x' of ${node?.id} was changed since it was proposed. Ask again.`);
    await expect(change(null, 'none')).rejects.toThrow("'x' of none was changed since it was proposed. Ask again.");
    await change(null);
    expect(nodes()[0]?.values).toMatchObject({ x: 'new' });
    await chat.decide({ action: 'propose_plan', id: 'p', markdown: '' }, 'continue');
  });

  it('changes a field whose old value has a secret, and writes no mark in place of one', async () => {
    const chat = await open({ skipAll: true });
    await say(chat, BUILD);
    const [node] = nodes();
    const key = ['sk', 'abcdefghijklmnopqrstuv1234'].join('-');
    const change = (old_value: unknown, new_value: string) =>
      chat.decide(
        {
          action: 'edit_field',
          id: 'p',
          component_id: node?.id,
          field: 'x',
          old_value,
          new_value,
          description: 'd',
        } as never,
        'accept',
      );
    await change(null, `with ${key}`);
    await expect(change('with ***REDACTED***', '***REDACTED***')).rejects.toThrow('has a secret');
    await expect(change('without ***REDACTED***', 'new')).rejects.toThrow('was changed');
    await change('with ***REDACTED***', 'new');
    expect(nodes()[0]?.values).toMatchObject({ x: 'new' });
  });

  it('does not change a flow that another program changed during the decision', async () => {
    let calls = 0;
    const chat = await open({
      skipAll: true,
      async confirm() {
        calls++;
        writeFileSync(file, readFileSync(file, 'utf8').replace('"name"', ' "name"'));
        return true;
      },
    });
    await say(chat, BUILD);
    chat.skipAll = false;
    const built = proposal(await say(chat, SUMMARISE));
    await expect(chat.decide(built, 'replace')).rejects.toThrow(`${file} was changed meanwhile. Ask again.`);
    expect(calls).toBeGreaterThan(0);
  });

  it('begins another session, and keeps the id of one until then', async () => {
    const chat = await open();
    const session = async () => {
      const [first] = await say(chat, 'help');
      return first?.event === 'turn' ? first.session_id : undefined;
    };
    const one = await session();
    expect(one).toMatch(/^agentic_[\da-f-]{16}$/);
    expect(await session()).toBe(one);
    await chat.newSession();
    expect(await session()).not.toBe(one);
  });

  it('stops a turn', async () => {
    const chat = await open({ skipAll: true });
    const turn = chat.send(BUILD);
    turn.cancel();
    const events: string[] = [];
    for await (const event of turn.events) events.push(event.event);
    expect(events.at(-1)).toBe('cancelled');
    expect(existsSync(file)).toBe(false);
  });

  it('refuses a model that there is not, and a broken file', async () => {
    await expect(open({ model: 'none' })).rejects.toThrow(/^--model: /);
    writeFileSync(file, '{');
    await expect(say(await open(), 'run it')).rejects.toThrow(/flow\.json: the JSON is broken/);
  });
});
