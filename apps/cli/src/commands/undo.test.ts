import { appendFileSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openWire } from '@croft/mcp/testing';
import { processName } from '@croft/workspace';
import { describe, expect, it, vi } from 'vitest';
import { DAY, useAgents } from '../../../../tests/support/use-agents.ts';

const { surroundings, at, run, agent } = useAgents();

describe('croft undo', () => {
  it('stops at Ctrl-C and lists the undone changes', async () => {
    const many = Array.from({ length: 300 }, (_, i) => ['write_file', { path: `${i}.txt`, content: 'x' }]);
    await agent(many as [string, object][]);
    const wire = openWire(['undo', '300', '--yes', '--dir', surroundings().workspace], { env: surroundings().env });
    // The preview is printed just before the first change is taken back.
    wire.child.stdout?.once('data', () => wire.child.kill('SIGINT'));
    expect(await wire.ended).toEqual({ code: 130, signal: null });
    const stdout = wire.stdout();
    const left = stdout.match(/left alone .*: The undo was cancelled$/gm)?.length ?? 0;
    expect(left).toBeGreaterThan(0);
    expect(stdout.match(/^undone /gm)?.length ?? 0).toBe(300 - left);
    expect(readdirSync(surroundings().workspace)).toHaveLength(left);
  });

  it('undoes a series of changes, one by one and together', async () => {
    writeFileSync(at('before.txt'), 'was here');
    await agent(DAY);
    expect(existsSync(at('dir'))).toBe(false);
    const one = await run('undo', '--yes');
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(one.stdout).toMatch(/undone {6}delete_path dir\n$/);
    expect(readFileSync(at('dir/b.txt'), 'utf8')).toBe('second');
    const foreseen = await run('undo', '99', '--dry-run');
    expect(foreseen.stderr).toBe('croft: The log has 5 of 99 changes that can be undone.\n');
    const rest = await run('undo', '5', '--yes', '--json');
    expect(rest.stderr).toBe('');
    expect(rest.code, rest.stdout).toBe(0);
    expect((JSON.parse(rest.stdout) as { tool: string; ok: boolean }[]).map(({ tool, ok }) => [tool, ok])).toEqual([
      ['copy_path', true],
      ['move_path', true],
      ['create_dir', true],
      ['edit_file', true],
      ['write_file', true],
    ]);
    expect(['a.txt', 'c.txt', 'dir'].filter((name) => existsSync(at(name)))).toEqual([]);
    expect(readFileSync(at('before.txt'), 'utf8')).toBe('was here');
    expect((await run('undo', '--yes')).stdout).toBe('Nothing to undo.\n');
    expect((await run('log', '--json')).stdout).toContain('"actor":{"userId":null,"via":"cli","client":null}');
  });

  it('shows the lines of the changes before it asks, with --diff', async () => {
    await agent([['write_file', { path: 'a', content: 'one\n' }]]);
    const shown = await run('undo', '--diff', '--dry-run');
    expect(shown.stdout.split('\n').slice(1)).toEqual(['      a  +1 -0', '      @@ -0,0 +1,1 @@', '      +one', '']);
    const refused = await run('undo', '--diff', '--json', '--yes');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('leave out --json')]);
    expect(existsSync(at('a'))).toBe(true);
    expect((await run('undo', '--diff', '--yes')).stdout).toMatch(/\+one\nundone {6}write_file a\n$/);
  });

  it('marks what was undone in the log, and asks nothing where nothing can be undone', async () => {
    await agent([
      ['write_file', { path: 'a', content: '1' }],
      ['write_file', { path: 'b', content: '1' }],
    ]);
    await run('undo', '--yes');
    const lines = (await run('log')).stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ +1 .* write_file +ok  created a/);
    expect(lines[1]).toMatch(/^ +\d{4}.* write_file +undone  created b/);
    const entries = (await run('log', '--json')).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.map(({ undone }) => undone)).toEqual([undefined, true, undefined]);
    writeFileSync(at('a'), 'by a person');
    const none = await run('undo');
    expect(none).toMatchObject({ code: 1, stderr: '' });
    expect(none.stdout).toMatch(
      /will be left alone: a was changed since\nNothing can be undone, so nothing was changed\.\n$/,
    );
    const left = await run('undo', '--yes');
    expect(left).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/left alone  write_file a: a was changed since\n$/),
    });
  });

  it('undoes only the change that --only names', async () => {
    await agent(['a', 'b', 'c'].map((name) => ['write_file', { path: name, content: name }]));
    const { code, stdout } = await run('undo', '--only', '2', '--yes');
    expect(code).toBe(0);
    expect(stdout).toMatch(/undone {6}write_file b\n$/);
    expect(['a', 'b', 'c'].filter((name) => existsSync(at(name)))).toEqual(['a', 'c']);
    expect(await run('undo', '--only', '3', '--yes')).toMatchObject({
      code: 2,
      stderr: 'croft: There is no change 3: croft log numbers them 1 to 2\n',
    });
  });

  it('undoes the changes since a time, and none before it', async () => {
    await agent([['write_file', { path: 'old.txt', content: 'x' }]]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const since = new Date().toISOString();
    await agent([
      ['write_file', { path: 'new.txt', content: 'x' }],
      ['write_file', { path: 'newer.txt', content: 'x' }],
    ]);
    expect((await run('undo', '--since', since, '--yes')).code).toBe(0);
    expect(['old.txt', 'new.txt', 'newer.txt'].map((name) => existsSync(at(name)))).toEqual([true, false, false]);
    expect((await run('undo', '--since', '1h', '--yes')).code).toBe(0);
    expect(existsSync(at('old.txt'))).toBe(false);
  });

  it('does not undo a file that changed since, says so, and ends with code 1', async () => {
    await agent([
      ['write_file', { path: 'a.txt', content: 'agent' }],
      ['write_file', { path: 'b.txt', content: 'agent' }],
    ]);
    writeFileSync(at('b.txt'), 'a person');
    const { code, stdout } = await run('undo', '2', '--yes');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /created b\.txt .*\n +will be left alone: b\.txt was changed since\n.*created a\.txt .*\nleft alone/,
    );
    expect(stdout).toMatch(/left alone {2}write_file b\.txt: /);
    expect(stdout).toMatch(/undone {6}write_file a\.txt/);
    expect(readFileSync(at('b.txt'), 'utf8')).toBe('a person');
  });

  it('shows with --dry-run what would be undone and what would be left, and changes nothing', async () => {
    await agent([
      ['write_file', { path: 'kept', content: '1' }],
      ['write_file', { path: 'changed', content: '1' }],
    ]);
    appendFileSync(at('changed'), 'by another program');
    const shown = await run('undo', '2', '--dry-run');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/created changed[^\n]*\n +will be left alone: [^\n]+\n.*created kept[^\n]*\n$/);
    const { stdout } = await run('undo', '2', '--dry-run', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { tool: 'write_file', paths: ['changed'], ok: false, problem: expect.stringContaining('changed') },
      { tool: 'write_file', paths: ['kept'], ok: true },
    ]);
    expect(readFileSync(at('changed'), 'utf8')).toBe('1by another program');
    expect((await run('log')).stdout).not.toContain('undone');
    expect((await run('undo', '2', '--yes')).stdout).toMatch(/left alone .* changed: .*\n.*undone .* kept\n$/);
  });

  it('undoes older changes of a file whose overwriting process was killed before it removed the old version', async () => {
    writeFileSync(at('a.txt'), 'first\n');
    await agent([
      ['append_file', { path: 'a.txt', content: 'second\n' }],
      ['write_file', { path: 'a.txt', content: 'overwritten' }],
    ]);
    const [name] = readdirSync(join(surroundings().base, 'activity'));
    const trash = join(surroundings().base, 'activity', name as string, 'trash');
    const [kept] = readdirSync(trash);
    // The sweep reads the directory in parts, and finds the leftover late.
    for (let i = 0; i < 300; i++) writeFileSync(at(`${i}.txt`), '');
    const gone = processName().replace(/^\d+/, '99999999');
    linkSync(join(trash, kept as string), at(`.croft-tmp-${gone}-0123456789ab`));
    expect(await run('undo', '2', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('first\n');
    expect(readdirSync(surroundings().workspace).filter((each) => each.startsWith('.croft-tmp-'))).toEqual([]);
  });

  it('reports how many older changes and calls the log has dropped', async () => {
    await agent([['write_file', { path: 'a.txt', content: 'x' }]]);
    const [name] = readdirSync(join(surroundings().base, 'activity'));
    for (const [family, dropped] of [
      ['changes', 7],
      ['reads', 90],
    ] as const) {
      const file = join(surroundings().base, 'activity', name as string, `${family}.1.ndjson`);
      appendFileSync(file, `${JSON.stringify({ header: { dropped, upTo: 0 } })}\n`);
    }
    const older = 'No longer in the log: 7 older changes, which cannot be undone';
    expect((await run('log')).stdout).toContain(`${older}; 90 older calls that changed nothing.\n`);
    expect((await run('log', '--json')).stderr).toContain('90 older calls');
    expect((await run('undo', '--yes')).stderr).not.toContain('No longer');
    expect((await run('undo', '--yes')).stdout).toBe(`Nothing to undo. ${older}.\n`);
    await agent([['write_file', { path: 'a.txt', content: 'x' }]]);
    expect((await run('undo', '2', '--dry-run')).stderr).toBe(`croft: ${older}.\n`);
    expect(await run('undo', '2', '--yes')).toEqual({
      code: 2,
      stdout: '',
      stderr: `croft: The log has 1 of 2 changes that can be undone, so nothing was changed. To undo it: croft undo 1 --yes. ${older}.\n`,
    });
  });

  it.each([[[]], [['--json']], [['2']]])('does nothing without a terminal and without --yes: %j', async (args) => {
    await agent([['write_file', { path: 'a.txt', content: 'x' }]]);
    const { code, stdout, stderr } = await run('undo', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--yes');
    expect(existsSync(at('a.txt'))).toBe(true);
  });

  it.each([[[]], [['--json']]])('refuses a larger number than the log has, without a question: %j', async (args) => {
    await agent(['a', 'b'].map((path) => ['write_file', { path, content: 'x' }]));
    expect(await run('undo', '99', '--yes', ...args)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'croft: The log has 2 of 99 changes that can be undone, so nothing was changed. To undo them: croft undo 2 --yes\n',
    });
    expect(['a', 'b'].filter((name) => existsSync(at(name)))).toEqual(['a', 'b']);
  });

  describe('at a terminal', () => {
    /** Undoes with this answer to the question. */
    async function answer(typed: string, ...args: string[]) {
      const input = Object.assign(new PassThrough(), { isTTY: true });
      const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as never);
      input.end(typed);
      const { code, stdout } = await run('undo', ...args);
      stdin.mockRestore();
      return [code, stdout.split('\n').slice(-3).join('\n')];
    }

    it('asks before it changes something', async () => {
      await agent(['a', 'b', 'c'].map((path) => ['write_file', { path, content: 'x' }]));
      for (const no of ['', 'n\n', 'yesss\n'])
        expect(await answer(no, '2')).toEqual([
          0,
          expect.stringMatching(/created b .*\nUndo these 2 changes\? \[y\/N\] Nothing was changed\.\n$/),
        ]);
      expect(await answer('n\n', '99')).toEqual([0, expect.stringContaining('Undo these 3 changes? [y/N] Nothing')]);
      expect(['a', 'b', 'c'].filter((name) => existsSync(at(name)))).toEqual(['a', 'b', 'c']);
      expect(await answer('y\n')).toEqual([
        0,
        expect.stringMatching(/created c .*\nUndo this change\? \[y\/N\] undone {6}write_file c\n$/),
      ]);
      writeFileSync(at('b'), 'by a person');
      expect(await answer('YES\n', '2')).toEqual([
        1,
        expect.stringMatching(
          /Undo 1 of these 2 changes\? \[y\/N\] left alone {2}write_file b: b was changed since\nundone {6}write_file a\n$/,
        ),
      ]);
      expect(['a', 'b', 'c'].filter((name) => existsSync(at(name)))).toEqual(['b']);
    });
  });

  it('gives the outcome of each change as JSON', async () => {
    await agent(['a', 'b'].map((path) => ['write_file', { path, content: 'x' }]));
    writeFileSync(at('b'), 'by a person');
    const { code, stdout, stderr } = await run('undo', '2', '--yes', '--json');
    expect([code, stderr]).toEqual([1, '']);
    const id = expect.any(String) as string;
    expect(JSON.parse(stdout)).toEqual([
      { id, tool: 'write_file', paths: ['b'], ok: false, problem: 'b was changed since' },
      { id, tool: 'write_file', paths: ['a'], ok: true },
    ]);
    expect(stdout.endsWith(']\n')).toBe(true);
  });

  it.each([
    [['1', '--since', '1h'], 'Give a number or --since, not both'],
    [['1', '--only', '1'], '--only undoes one change; leave out the number of changes and --since'],
    [['--since', '1h', '--only', '1'], '--only undoes one change; leave out the number of changes and --since'],
    [['--only', '0'], 'Not the number of a change: 0'],
    [['--only', '1x'], 'Not the number of a change: 1x'],
    [['0'], 'Not a number of changes: 0'],
    [['x1'], 'Not a number of changes: x1'],
    [['--since', 'soon'], 'Not a time: soon. Use 10m, 2h, 1d, or a date and time such as 2026-01-31T09:00'],
    [['--user', 'ann'], 'Give --dir or --user, not both'],
  ])('refuses %j', async (args, problem) => {
    expect(await run('undo', ...args)).toEqual({ code: 2, stdout: '', stderr: `croft: ${problem}\n` });
  });

  it('has nothing to undo where the log has no change', async () => {
    expect(await run('undo', '--only', '3', '--yes')).toEqual({ code: 0, stdout: 'Nothing to undo.\n', stderr: '' });
  });

  it('restores protected files too, because the user runs the command', async () => {
    mkdirSync(at('sub'));
    writeFileSync(at('sub/.env'), 'KEY=1');
    await agent([['delete_path', { path: 'sub', recursive: true }]]);
    const gone = !existsSync(at('sub'));
    expect((await run('undo', '--yes')).code).toBe(0);
    // This test does not cover whether an agent may delete a directory with a protected file.
    if (gone) expect(readFileSync(at('sub/.env'), 'utf8')).toBe('KEY=1');
  });
});
