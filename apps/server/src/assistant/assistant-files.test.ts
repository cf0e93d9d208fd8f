// The assistant's tools and the flows that it runs have one tree of files: the one of the user's pages and programs.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssistantEvent } from '@croft/assistant';
import { callReply as call, type ScriptedReply } from '@croft/models/testing';
import { resolveNamespace } from '@croft/workspace';
import { describe, expect, it } from 'vitest';
import type { TestServer, Visitor } from '../testing.ts';
import { useScriptedServer } from '../use-test-server.ts';

const READ_FLOW = (path: string) =>
  `name: Read\nnodes:\n  R: File\n  O: ChatOutput\nedges:\n  R.message -> O.input_value\nconfig:\n  R.path: ${path}\n`;
const FILES: ScriptedReply = { text: '{"intent": "manage_files", "scope": "new"}' };
const BUILD: ScriptedReply = { text: '{"intent": "build_flow", "scope": "new"}' };
const SECRET = 'SECRET of someone else';

/** Sends a message, for which a scripted model calls tools. Returns the events. */
async function turn(by: Visitor, script: ScriptedReply[], replies: readonly ScriptedReply[]) {
  const flow_id = (await by.json<any>('/api/v1/flows', { method: 'POST', json: {} })).body.flow.id as string;
  script.push(...replies, { text: 'Done.' });
  const json = { flow_id, input_value: 'write and edit these files, and run it', skip_all: true };
  const answer = await by.request('/api/v1/agentic/assist/stream', { method: 'POST', json });
  return (await answer.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as AssistantEvent);
}

/** The results of the tools of one turn, as the next request shows them to the model. */
const shownToModel = (requests: readonly string[]): string => requests.at(-1) ?? '';
const revert = (by: Visitor, events: readonly AssistantEvent[]) =>
  by.json<any>(`/api/v1/agentic/turns/${(events[0] as { turn_id: string }).turn_id}/revert`, {
    method: 'POST',
    json: {},
  });
const put = (by: Visitor, path: string, content: string) =>
  by.json('/api/v1/tools/full/write_file', { method: 'POST', json: { path, content } });
const contentAt = async (by: Visitor, path: string) => {
  const answer = await by.request(`/api/v1/files/content?path=${path}`);
  return answer.status === 200 ? answer.text() : undefined;
};
const write = (path: string, content: string) => call('write_file', { path, content });
const written = (events: readonly AssistantEvent[]) =>
  events.flatMap((each) => (each.event === 'file_written' ? [each.path] : []));

/** Calls that must not reach a file outside of the tree; `OUT` is its path, `link` a link to its directory. */
const ESCAPES = (out: string): readonly ScriptedReply[] => [
  call('read_file', { path: out }),
  call('read_file', { path: '../outside/secret.txt' }),
  call('read_file', { path: 'mine/../../outside/secret.txt' }),
  call('read_file', { path: 'link/secret.txt' }),
  call('read_file', { path: '../.fs_pepper' }),
  call('glob_search', { pattern: '**/*', path: 'link' }),
  call('glob_search', { pattern: '../outside/*' }),
  call('grep_search', { pattern: 'SECRET', path: 'link' }),
  call('grep_search', { pattern: 'SECRET', path: '..' }),
  write('link/new.txt', 'x'),
  write('../outside/new.txt', 'x'),
  call('edit_file', { path: 'link/secret.txt', old_string: 'SECRET', new_string: 'known' }),
];

describe('the files of the assistant without accounts', () => {
  let server: TestServer;
  let page: Visitor;
  const { script, requests } = useScriptedServer(
    async (started, connect) => {
      server = started;
      page = await started.openPage();
      await connect(page);
    },
    { autoLogin: true },
  );
  const under = (...parts: string[]) => join(server.baseDir, 'workspaces', ...parts);

  it('are the shared ones, which the page, other agents and its flows read by the same paths', async () => {
    await put(page, 'orders.csv', 'region,amount\nNorth,120\n');
    const events = await turn(page, script, [
      FILES,
      call('read_file', { path: 'orders.csv' }),
      write('docs/note.md', 'granite'),
      call('build_flow', { spec: READ_FLOW('docs/note.md') }),
      call('run_flow', {}),
    ]);
    expect(shownToModel(requests())).toContain('North,120');
    expect(written(events)).toEqual(['docs/note.md']);
    expect(events).toContainEqual(expect.objectContaining({ event: 'run_finished', text: 'granite' }));
    expect(readFileSync(under('shared/docs/note.md'), 'utf8')).toBe('granite');
    expect(await (await page.request('/api/v1/agentic/files?path=docs/note.md')).text()).toBe('granite');
    expect(existsSync(under('users'))).toBe(false);
    const { status, body } = await revert(page, events);
    expect([status, body.files]).toEqual([200, [{ path: 'docs/note.md', reverted: true, problem: null }]]);
    expect([await contentAt(page, 'docs/note.md'), await contentAt(page, 'orders.csv')]).toEqual([
      undefined,
      'region,amount\nNorth,120\n',
    ]);
  });

  it('have the user’s own ones below mine/, where they exist', async () => {
    const { root } = resolveNamespace({
      userId: 'local',
      forceIsolation: true,
      env: { CROFT_BASE_DIR: server.baseDir },
    });
    writeFileSync(join(root, 'own.txt'), 'own');
    const events = await turn(page, script, [
      BUILD,
      write('mine/new.txt', 'by the assistant'),
      call('build_flow', { spec: READ_FLOW('mine/new.txt') }),
      call('run_flow', {}),
      call('read_file', { path: 'mine/own.txt' }),
    ]);
    expect(events).toContainEqual(expect.objectContaining({ event: 'run_finished', text: 'by the assistant' }));
    expect(readFileSync(join(root, 'new.txt'), 'utf8')).toBe('by the assistant');
    expect((await revert(page, events)).body.files).toEqual([{ path: 'mine/new.txt', reverted: true, problem: null }]);
    expect([existsSync(join(root, 'new.txt')), existsSync(join(root, 'own.txt'))]).toEqual([false, true]);
  });

  it('lead neither out of the tree nor to reserved places, by any path or link', async () => {
    mkdirSync(under('outside'));
    writeFileSync(under('outside/secret.txt'), SECRET);
    symlinkSync('../outside', under('shared/link'));
    const own = resolveNamespace({ userId: 'local', forceIsolation: true, env: { CROFT_BASE_DIR: server.baseDir } });
    mkdirSync(join(own.root, '.components'), { recursive: true });
    writeFileSync(join(own.root, '.components/Sum.ts'), SECRET);
    await turn(page, script, [
      FILES,
      ...ESCAPES(under('outside/secret.txt')),
      call('read_file', { path: 'mine/.components/Sum.ts' }),
      write('mine/.components/New.ts', 'x'),
      write('.components/New.ts', 'x'),
    ]);
    expect(requests().join('\n')).not.toContain(SECRET);
    expect(readFileSync(under('outside/secret.txt'), 'utf8')).toBe(SECRET);
    const made = [under('outside/new.txt'), join(own.root, '.components/New.ts'), under('shared/.components/New.ts')];
    expect(made.map((path) => existsSync(path))).toEqual([false, false, false]);
  });
});

describe('the files of the assistant with accounts', () => {
  let server: TestServer;
  let admin: Visitor;
  let ada: Visitor;
  let bob: Visitor;
  const { script, requests } = useScriptedServer(async (started, connect) => {
    server = started;
    admin = await started.signInAdmin();
    [ada, bob] = [await started.addUser('ada'), await started.addUser('bob')];
    await connect(ada);
  });
  const under = (...parts: string[]) => join(server.baseDir, 'workspaces', ...parts);
  const mount = (mode: string) => admin.json('/api/v1/shared-mount', { method: 'PUT', json: { mode } });

  it('are the user’s own, and no other user’s', async () => {
    const own = async (by: Visitor, name: string, content: string) => {
      await put(by, name, content);
      return readdirSync(under('users')).find((each) => existsSync(under('users', each, name))) ?? '';
    };
    const bobs = await own(bob, 'bobs.md', SECRET);
    symlinkSync(`../${bobs}`, under('users', await own(ada, 'first.md', ''), 'link'));
    const events = await turn(ada, script, [
      FILES,
      write('adas.md', 'granite'),
      call('read_file', { path: 'bobs.md' }),
      call('grep_search', { pattern: 'SECRET' }),
      call('read_file', { path: 'link/bobs.md' }),
      ...ESCAPES(under('users', bobs, 'bobs.md')),
    ]);
    expect(existsSync(under('users', bobs, 'new.txt'))).toBe(false);
    expect(requests().join('\n')).not.toContain(SECRET);
    expect(written(events)).toEqual(['adas.md']);
    expect([await contentAt(ada, 'adas.md'), await contentAt(bob, 'adas.md')]).toEqual(['granite', undefined]);
  });

  it('have the shared ones only where an admin mounted them, and change them only where the admin allows it', async () => {
    mkdirSync(under('shared'), { recursive: true });
    writeFileSync(under('shared/rules.md'), 'shut the gate');
    const readsRules = async () => {
      await turn(ada, script, [FILES, call('read_file', { path: 'shared/rules.md' }), write('shared/new.md', 'x')]);
      return [shownToModel(requests()).includes('shut the gate'), existsSync(under('shared/new.md'))];
    };
    expect(await readsRules()).toEqual([false, false]);
    expect(await contentAt(ada, 'shared/new.md')).toBe('x');
    await ada.json('/api/v1/tools/full/delete_path', { method: 'POST', json: { path: 'shared', recursive: true } });
    await mount('read');
    expect(await readsRules()).toEqual([true, false]);
    await mount('write');
    const events = await turn(ada, script, [FILES, write('shared/new.md', 'x')]);
    expect(existsSync(under('shared/new.md'))).toBe(true);
    await mount('read');
    expect((await revert(ada, events)).status).toBe(409);
    expect(existsSync(under('shared/new.md'))).toBe(true);
    await mount('write');
    expect((await revert(ada, events)).body.files).toMatchObject([{ path: 'shared/new.md', reverted: true }]);
    expect(existsSync(under('shared/new.md'))).toBe(false);
  });
});
