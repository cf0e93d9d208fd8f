import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callOn, initialize, openWire } from '@croft/mcp/testing';
import type { ActivityEntry } from '@croft/tools';
import { describe, expect, it, vi } from 'vitest';
import { droppedNote, renderEntry } from './run-log.ts';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import { DAY, useAgents } from '../../../../tests/support/use-agents.ts';

const { surroundings, at, run, agent } = useAgents();

describe('croft log', () => {
  it('shows calls, newest last, and numbers the changes that can be undone', async () => {
    await agent(DAY);
    const { code, stdout, stderr } = await run('log');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(DAY.length);
    const shape = /^ *(\d*) {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}(\w+) +(\w+) {2}(.*) by bare$/;
    expect(lines.map((line) => shape.exec(line)?.slice(1, 4))).toEqual([
      ['6', 'write_file', 'ok'],
      ['5', 'edit_file', 'ok'],
      ['4', 'create_dir', 'ok'],
      ['3', 'move_path', 'ok'],
      ['2', 'copy_path', 'ok'],
      ['', 'read_file', 'ok'],
      ['', 'read_file', 'outside'],
      ['1', 'delete_path', 'ok'],
    ]);
    // Not a terminal: no colours.
    expect(stdout).not.toContain('\u001b');
  });

  it('never has content of files', async () => {
    await agent([
      ['write_file', { path: 'a.txt', content: 'top secret text' }],
      ['edit_file', { path: 'a.txt', old_string: 'secret', new_string: 'hidden' }],
    ]);
    const { stdout } = await run('log', '--json');
    expect(stdout).toContain('edit_file');
    expect(stdout).not.toMatch(/secret|hidden/);
  });

  it('shows the lines that changes added and removed with --diff', async () => {
    await agent([
      ['write_file', { path: 'a.txt', content: 'one\ntwo\u001b[2J\n' }],
      ['edit_file', { path: 'a.txt', old_string: 'one', new_string: '1' }],
      ['read_file', { path: 'a.txt' }],
      ['move_path', { source: 'a.txt', destination: 'b.txt' }],
    ]);
    const { stdout, stderr } = await run('log', '--diff');
    expect(stderr).toBe('');
    expect(stdout.split('\n').map((line) => (/^ {6}(?!\d{4}-)/.test(line) ? line.slice(6) : ''))).toEqual([
      '',
      'a.txt  +2 -0',
      '@@ -0,0 +1,2 @@',
      '+one',
      '+two\\u001b[2J',
      '',
      'a.txt  +1 -1',
      '@@ -1,2 +1,2 @@',
      '-one',
      '+1',
      ' two\\u001b[2J',
      '',
      '',
      '',
    ]);
    const [first] = (await run('log', '--diff', '--json')).stdout.split('\n');
    expect(JSON.parse(first as string)).toMatchObject({
      tool: 'write_file',
      diffs: { files: [{ path: 'a.txt', added: 2, removed: 0 }], moreFiles: 0 },
    });
  });

  it('shows search patterns without secrets and with control characters escaped', async () => {
    mkdirSync(at('src'));
    await agent([
      ['grep_search', { pattern: 'TODO\u001b[2J', path: 'src' }],
      ['glob_search', { pattern: '**/*.ts' }],
      ['grep_search', { pattern: 'password=hunter2' }],
      ['grep_search', { pattern: 7 }],
    ]);
    const { stdout } = await run('log');
    expect(stdout.split('\n').map((line) => /ok {2}(.*?) {2}by|invalid/.exec(line)?.[1] ?? '')).toEqual([
      '"TODO\\u001b[2J" in src',
      '"**/*.ts" in .',
      '"password=[redacted]" in .',
      '',
      '',
    ]);
    expect((await run('log', '--json')).stdout).not.toContain('hunter2');
  });

  it('prints one JSON object per line with --json, and at most --limit', async () => {
    await agent(DAY);
    const { stdout } = await run('log', '--json');
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.map(({ tool }) => tool)).toEqual(DAY.map(([name]) => name));
    expect(entries[1]).toMatchObject({
      actor: { userId: null, via: 'mcp', client: 'bare' },
      tool: 'edit_file',
      paths: ['a.txt'],
      outcome: 'ok',
      changes: [
        { kind: 'update', path: 'a.txt', before: expect.any(String) as string, after: expect.any(String) as string },
      ],
    });
    const count = async (...args: string[]) =>
      (await run('log', '--json', ...args)).stdout.split('\n').filter(Boolean).length;
    expect(await count('--limit', '3')).toBe(3);
    expect(await count('--limit', '0')).toBe(0);
    expect(await count('--changes')).toBe(6);
  });

  it('escapes control characters in names', async () => {
    const evil = 'x\u001b[2J\u202etxt.\u0007\u200b\u061c\u{e0041}';
    writeFileSync(at(evil), 'a');
    await agent([
      ['edit_file', { path: evil, old_string: 'a', new_string: 'b' }],
      ['delete_path', { path: evil }],
    ]);
    for (const args of [['log'], ['log', '--json'], ['undo', '--yes'], ['undo', '--json', '--yes']]) {
      const { stdout } = await run(...args);
      // oxlint-disable-next-line no-control-regex -- these are what must not be there
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u061c\u200b\u202e\udb40]/);
    }
    const [first] = (await run('log', '--json')).stdout.split('\n');
    expect(JSON.parse(first as string)).toMatchObject({ changes: [{ path: evil }] });
  });

  it('shows a search of the whole workspace', async () => {
    await agent([['grep_search', { pattern: 'x' }]]);
    expect((await run('log')).stdout).toMatch(/grep_search +ok {2}"x" in \. /);
  });

  it('uses the nearest directory with activity, from the current one upwards, and names it', async () => {
    await agent([['write_file', { path: 'deep/er/a.txt', content: 'x' }]]);
    const from = (cwd: string, ...args: string[]) => runCroftHere(args, { env: surroundings().env, cwd });
    const said = `croft: using ${surroundings().workspace}, the nearest directory with activity\n`;
    const log = await from(at('deep/er'), 'log');
    expect(log).toMatchObject({ code: 0, stderr: said });
    expect(log.stdout).toContain('deep/er/a.txt');
    expect((await from(surroundings().workspace, 'log')).stderr).toBe('');
    const named = await from(surroundings().workspace, 'log', '--dir', 'deep');
    expect(named).toMatchObject({ stdout: `No activity in ${at('deep')} yet.\n`, stderr: '' });
    expect(await from(surroundings().root, 'log')).toMatchObject({ code: 0, stderr: '' });
    expect(await from(at('deep'), 'undo', '--yes')).toMatchObject({ code: 0, stderr: said });
    expect(existsSync(at('deep/er/a.txt'))).toBe(false);
  });

  it('shows and undoes changes of a user with --user, and creates no namespace', async () => {
    const asked = (...args: string[]) => runCroftHere(args, { env: surroundings().env, cwd: surroundings().workspace });
    const nobody = { code: 2, stdout: '', stderr: expect.stringContaining('User bob has no namespace') as string };
    expect(await asked('log', '--user', 'bob')).toMatchObject(nobody);
    expect(existsSync(join(surroundings().base, 'workspaces'))).toBe(false);
    const wire = openWire(['mcp', '--user', 'alice'], { env: surroundings().env });
    await initialize(wire);
    await callOn(wire, 'write_file', { path: 'a.txt', content: 'x' });
    wire.child.stdin?.end();
    await wire.ended;
    expect(await asked('log', '--user', 'bob')).toMatchObject(nobody);
    expect((await asked('log', '--user', 'alice')).stdout).toContain('created a.txt');
    expect((await asked('undo', '--user', 'alice', '--yes')).stdout).toContain('undone      write_file a.txt');
  });

  it('reports an empty log', async () => {
    expect((await run('log')).stdout).toBe(`No activity in ${surroundings().workspace} yet.\n`);
    expect((await run('log', '--json')).stdout).toBe('');
    expect((await run('undo', '--yes')).stdout).toBe('Nothing to undo.\n');
    expect((await run('undo', '--json', '--yes')).stdout).toBe('[]\n');
  });

  it('ends without an error when its reader closes the pipe', async () => {
    await agent(Array.from({ length: 300 }, () => ['read_file', { path: 'x'.repeat(250) }] as [string, object]));
    const wire = openWire(['log', '--json', '--limit', '1000', '--dir', surroundings().workspace], {
      env: surroundings().env,
    });
    wire.child.stdout?.once('data', () => wire.child.stdout?.destroy());
    const { code } = await wire.ended;
    expect({ code, stderr: wire.stderr() }).toEqual({ code: 0, stderr: '' });
  });
});

describe('a line of croft log', () => {
  const entry: ActivityEntry = {
    id: 'i',
    time: '2026-01-02T03:04:05.678Z',
    actor: { userId: null, via: 'mcp', client: 'bare' },
    tool: 'move_path',
    paths: ['a', 'b'],
    outcome: 'ok',
    durationMs: 3,
  };
  const line = (more: Partial<ActivityEntry>, position?: number, isUndone?: boolean) =>
    renderEntry({ ...entry, ...more }, position, 10, isUndone);

  it.each<[Partial<ActivityEntry>, string]>([
    [{}, 'move_path   ok  a → b'],
    [{ tool: 'x' }, 'x           ok  a → b'],
    [{ outcome: 'not_found' }, 'move_path   not_found  a → b'],
    [{ paths: [] }, 'move_path   ok  .'],
    [{ morePaths: 2 }, 'move_path   ok  a → b and 2 more'],
    [{ pattern: 'x\u001b' }, 'move_path   ok  "x\\u001b" in a → b'],
    [{ bytes: 0 }, 'move_path   ok  a → b 0 B'],
    [{ changes: [{ kind: 'create', path: 'a' }] as never }, 'move_path   ok  created a'],
    [{ changes: [{ kind: 'update', path: 'a' }] as never }, 'move_path   ok  changed a'],
    [{ changes: [{ kind: 'append', path: 'a' }] as never }, 'move_path   ok  added to a'],
    [{ changes: [{ kind: 'delete', path: 'a' }] as never }, 'move_path   ok  deleted a'],
    [
      {
        changes: [
          { kind: 'mkdir', path: 'd' },
          { kind: 'move', path: 'a', to: 'b\u202e' },
        ] as never,
      },
      'move_path   ok  made d/, moved a → b\\u202e',
    ],
  ])('shows %j', (more, shown) => {
    expect(line(more)).toBe(`      2026-01-02 03:04:05  ${shown}  by bare`);
  });

  it('has its time in local time, as --since of croft undo reads it', () => {
    vi.stubEnv('TZ', 'America/New_York');
    expect(line({})).toContain('  2026-01-01 22:04:05  ');
    vi.unstubAllEnvs();
  });

  it('begins with the number of a change, and says that one was undone', () => {
    expect(line({}, 7)).toBe('   7  2026-01-02 03:04:05  move_path   ok  a → b  by bare');
    expect(line({}, undefined, true)).toBe('      2026-01-02 03:04:05  move_path   undone  a → b  by bare');
  });

  it('counts what the log has dropped', () => {
    expect(
      [
        [0, 0],
        [1, 0],
        [2, 0],
        [0, 1],
        [2, 2],
      ].map(([changes = 0, reads = 0]) => droppedNote({ changes, reads })),
    ).toEqual([
      undefined,
      'No longer in the log: 1 older change, which cannot be undone.',
      'No longer in the log: 2 older changes, which cannot be undone.',
      'No longer in the log: 1 older call that changed nothing.',
      'No longer in the log: 2 older changes, which cannot be undone; 2 older calls that changed nothing.',
    ]);
  });
});
