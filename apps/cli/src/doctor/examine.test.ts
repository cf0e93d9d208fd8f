import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openActivity } from '@croft/tools';
import { bestResolver, DEFAULT_LIMITS, landlockAbi, resolveNamespace } from '@croft/workspace';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { recordHookCall } from '../compose/hook-calls.ts';
import { palette } from '../render/colours.ts';
import { renderDoctorReport } from '../render/doctor-report.ts';
import { HOOK_CLIENTS } from '../setup/hook-clients.ts';
import { withHook } from '../setup/hook-config.ts';
import { examineBaseDir } from './base-dir.ts';
import { examine } from './examine.ts';
import type { DoctorReport } from './report.ts';

const built = fileURLToPath(new URL('../../dist/croft.cjs', import.meta.url));
const onUnix = process.platform !== 'win32';
const asRoot = process.getuid?.() === 0;

let home: string;
let base: string;

beforeEach(() => {
  home = testDir();
  base = join(home, '.croft');
});

/** A program that replaces the trial of the second sandbox. */
function doctor(
  env: NodeJS.ProcessEnv = {},
  dir?: string,
  answer = '{"active":true,"abi":7}',
  user?: string,
): Promise<DoctorReport> {
  const stand = join(home, 'stand-in.cjs');
  writeFileSync(stand, `process.stdout.write(${JSON.stringify(answer)})`);
  return examine(dir, { node: process.execPath, args: [stand] }, { HOME: home, PATH: process.env.PATH, ...env }, user);
}

const whats = (found: readonly { what: string }[]) => found.map(({ what }) => what).join('\n');

describe('croft doctor', () => {
  it('finds no problem on a machine where Croft was never used, and creates nothing', async () => {
    const report = await doctor();
    expect(report).toMatchObject({
      ok: true,
      node: process.versions.node,
      resolver: { kind: bestResolver() },
      baseDir: { path: base, exists: false, writable: true, pepper: { state: 'missing' } },
      limits: DEFAULT_LIMITS,
      workspaces: [],
      problems: [],
    });
    expect(existsSync(base)).toBe(false);
  });

  it('says which server runs on the base directory, and whether it answers', async () => {
    const served = (address: string, pid: number) => {
      mkdirSync(base, { recursive: true, mode: 0o700 });
      writeFileSync(join(base, 'serve.json'), JSON.stringify({ address, pid }));
    };
    const health = createServer((_, response) => response.end('{"status":"ok","version":"9.9.9"}'));
    await new Promise<void>((resolve) => health.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(health.address() as AddressInfo).port}`;
    served(address, process.pid);
    const running = await doctor();
    expect(running.server).toEqual({ address, pid: process.pid, answers: true, version: '9.9.9' });
    expect(running.ok).toBe(true);
    expect(renderDoctorReport(running, palette(process.stdout))).toContain(address);
    await new Promise((resolve) => health.close(resolve));
    const silent = await doctor();
    expect(silent).toMatchObject({ ok: false, server: { answers: false } });
    expect(whats(silent.problems)).toContain(`(process ${process.pid}) does not answer at ${address}`);
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    served(address, ended);
    expect(await doctor()).toMatchObject({ ok: true, server: null });
  });

  it('shows where the files of the server and of one user are, and creates nothing', async () => {
    const of = async (env: NodeJS.ProcessEnv, user?: string) =>
      (await doctor(env, undefined, undefined, user)).namespace;
    const shared = { auto_login: true, mode: 'shared', effective_root: join(base, 'workspaces/shared') };
    expect(await of({})).toEqual({ ...shared, resolution_error: null });
    const isolated = { auto_login: false, mode: 'isolated', resolution_error: null };
    expect(await of({ CROFT_AUTO_LOGIN: 'false' }, 'ann')).toEqual({ ...isolated, effective_root: null });
    expect(existsSync(base)).toBe(false);
    const env = { CROFT_BASE_DIR: base, CROFT_AUTO_LOGIN: 'false' };
    const { root } = resolveNamespace({ userId: 'ann', env });
    expect(await of({ CROFT_AUTO_LOGIN: 'false' }, 'ann')).toEqual({ ...isolated, effective_root: root });
    expect(await of({ CROFT_AUTO_LOGIN: 'false' })).toEqual({ ...isolated, effective_root: null });
    expect(await of({}, 'ann')).toEqual({ ...isolated, auto_login: true, effective_root: root });
  });

  it('reports files that no call can open', async () => {
    mkdirSync(base, { mode: 0o700 });
    writeFileSync(join(base, 'workspaces'), 'a file');
    const report = await doctor();
    expect(report).toMatchObject({ ok: false, namespace: { effective_root: null } });
    expect(report.namespace.resolution_error).toContain(`Cannot create shared workspace at ${base}/workspaces/shared`);
    expect(whats(report.problems)).toContain('CROFT_BASE_DIR');
    expect(renderDoctorReport(report, palette(process.stdout))).toContain('resolution_error');
  });

  it.runIf(onUnix)('reports a file in place of users/, and a link in place of a namespace, in both modes', async () => {
    const env = { CROFT_BASE_DIR: base, CROFT_AUTO_LOGIN: 'false' };
    const { root } = resolveNamespace({ userId: 'ann', env });
    const mine = resolveNamespace({ userId: 'local', forceIsolation: true, env }).root;
    expect((await doctor()).problems).toEqual([]);
    for (const path of [root, mine]) {
      renameSync(path, join(home, 'away'));
      symlinkSync(join(home, 'away'), path);
      const linked = `${path}: It is a symbolic link`;
      const [local, accounts, named] = [
        await doctor(),
        await doctor({ CROFT_AUTO_LOGIN: 'false' }),
        await doctor({ CROFT_AUTO_LOGIN: 'false' }, undefined, undefined, path === root ? 'ann' : 'local'),
      ];
      for (const { ok, problems } of [local, accounts, named])
        expect([ok, whats(problems)]).toEqual([false, expect.stringContaining(path)]);
      expect(named.namespace.resolution_error).toContain(linked);
      if (path === mine) expect(whats(local.problems)).toContain(linked);
      rmSync(path);
      renameSync(join(home, 'away'), path);
    }
    rmSync(join(base, 'workspaces/users'), { recursive: true });
    writeFileSync(join(base, 'workspaces/users'), 'a file');
    for (const CROFT_AUTO_LOGIN of ['true', 'false'])
      expect(whats((await doctor({ CROFT_AUTO_LOGIN })).problems)).toContain('Cannot create user namespace');
  });

  it('reports shared files that cannot be opened while they are mounted', async () => {
    mkdirSync(join(base, 'workspaces'), { recursive: true, mode: 0o700 });
    writeFileSync(join(base, 'workspaces/shared'), 'a file');
    expect((await doctor({ CROFT_AUTO_LOGIN: 'false' })).problems).toEqual([]);
    writeFileSync(join(base, 'shared-mount.json'), '{"mode":"read"}');
    expect(whats((await doctor({ CROFT_AUTO_LOGIN: 'false' })).problems)).toContain('Cannot create shared workspace');
  });

  it('names real entries that a mount of the same name hides', async () => {
    const env = { CROFT_BASE_DIR: base, CROFT_AUTO_LOGIN: 'false' };
    const { root } = resolveNamespace({ userId: 'ann', env });
    mkdirSync(join(root, 'shared'));
    mkdirSync(join(base, 'workspaces/shared/mine'), { recursive: true });
    const notes = async (CROFT_AUTO_LOGIN: string) => whats((await doctor({ CROFT_AUTO_LOGIN })).notes);
    expect(await notes('true')).not.toContain('hides');
    expect(await notes('false')).not.toContain('hides');
    resolveNamespace({ userId: 'local', forceIsolation: true, env });
    expect(await notes('true')).toContain(
      `The mount mine/ hides an entry of the same name: ${base}/workspaces/shared/mine`,
    );
    writeFileSync(join(base, 'shared-mount.json'), '{"mode":"write"}');
    expect(await notes('false')).toContain(`The mount shared/ hides an entry of the same name: ${root}/shared`);
  });

  it('shows the source of each value', async () => {
    mkdirSync(base, { mode: 0o700 });
    writeFileSync(join(base, 'croft.config.yaml'), 'host: 127.0.0.2\n');
    const { configuration, configFile } = await doctor({ CROFT_PORT: '81' });
    expect(configFile).toBe(join(base, 'croft.config.yaml'));
    expect(configuration).toEqual([
      { name: 'CROFT_BASE_DIR', value: base, source: 'default' },
      { name: 'CROFT_AUTO_LOGIN', value: true, source: 'default' },
      { name: 'CROFT_HOST', value: '127.0.0.2', source: `${configFile}:1` },
      { name: 'CROFT_PORT', value: 81, source: 'environment' },
      { name: 'CROFT_FLOW_PROXY', value: 'addresses', source: 'default' },
      { name: 'CROFT_RUN_RETENTION_DAYS', value: 30, source: 'default' },
      { name: 'CROFT_RUN_HISTORY_BYTES', value: 536_870_912, source: 'default' },
      { name: 'CROFT_LOG_LEVEL', value: 'info', source: 'default' },
    ]);
  });

  it('shows the policy of the guard in a directory, and settings without effect', async () => {
    const project = join(home, 'project');
    const [file, projectFile] = [base, project].map((dir) => join(dir, 'croft.config.yaml')) as [string, string];
    mkdirSync(join(project, '.git'), { recursive: true });
    mkdirSync(base, { mode: 0o700 });
    writeFileSync(file, 'sandboxing: {mode: dry-run}\n');
    writeFileSync(projectFile, 'sandboxing: {enabled: false}\n');
    const report = await doctor({}, project);
    expect(report.guard).toEqual({ root: project, file, projectFile, enabled: true, mode: 'dry-run' });
    expect(whats(report.notes)).toContain(`${projectFile}:1:14: sandboxing.enabled is not obeyed`);
    expect(renderDoctorReport(report, palette({ isTTY: false } as never))).toContain(projectFile);
    writeFileSync(projectFile, 'sandboxing: [\n');
    const broken = await doctor({}, project);
    expect(broken).toMatchObject({ ok: false, problems: [{ what: expect.stringContaining(`${projectFile}:`) }] });
    expect(broken).not.toHaveProperty('guard');
  });

  it('reports a hook that its agent does not call', async () => {
    const settings = join(home, '.codex/hooks.json');
    mkdirSync(join(home, '.codex'));
    writeFileSync(
      settings,
      withHook('', 'node /c/croft.cjs guard hook --agent codex || exit 2', HOOK_CLIENTS.codex.format),
    );
    const never = await doctor();
    expect(never.hooks).toEqual([{ agent: 'Codex', file: settings, lastCall: null }]);
    expect(whats(never.notes)).toContain(`Codex has never called the hook in ${settings}`);
    expect(JSON.stringify(never.notes)).toContain('/hooks');
    recordHookCall(base, 'codex');
    const called = await doctor();
    expect(called.hooks[0]?.lastCall).not.toBeNull();
    expect(whats(called.notes)).not.toContain('called the hook');
    // Codex trusts a hook by its content: after a change it skips the hook again.
    utimesSync(settings, new Date(), new Date(Date.now() + 5_000));
    expect(whats((await doctor()).notes)).toContain('Codex has not called the hook in');
  });

  it('reports hooks that a setting switches off as a problem', async () => {
    const { format } = HOOK_CLIENTS['claude-code'];
    mkdirSync(join(home, '.claude'));
    writeFileSync(
      join(home, '.claude/settings.json'),
      withHook('{"disableAllHooks": true}', 'croft guard hook', format),
    );
    const report = await doctor();
    expect(report.ok).toBe(false);
    expect(whats(report.problems)).toContain('disableAllHooks switches all hooks off');
  });

  it('continues after an unreadable configuration, and reports it as a problem', async () => {
    const { ok, problems, configuration, limits } = await doctor({ CROFT_PORT: 'many' });
    expect({ ok, configuration, limits }).toEqual({ ok: false, configuration: [], limits: DEFAULT_LIMITS });
    expect(whats(problems)).toContain('CROFT_PORT must be a whole number');
  });

  it('names a file with a mistake, and reports the mistake once, although the guard reads the file too', async () => {
    mkdirSync(base, { mode: 0o700 });
    const file = join(base, 'croft.config.yaml');
    for (const text of ['host: a\nprot: 1\n', 'host: [\n']) {
      writeFileSync(file, text);
      const report = await doctor();
      expect(report).toMatchObject({ ok: false, configuration: [], configFile: file });
      expect(report.problems.filter(({ what }) => what.includes(file))).toHaveLength(1);
      expect(report).not.toHaveProperty('guard');
      expect(renderDoctorReport(report, palette({ isTTY: false } as never))).toMatch(
        /Configuration\n {2}Values {2}cannot be used: see below\n {2}File {4}\S+croft\.config\.yaml\n/,
      );
    }
    writeFileSync(file, 'host: 127.0.0.1\nsandboxing: {mod: dry-run}\n');
    const { problems } = await doctor({ CROFT_PORT: 'many' });
    expect(whats(problems)).toContain('CROFT_PORT must be');
    expect(whats(problems)).toContain(`${file}:2:`);
  });

  it('lists the workspaces with activity, the most recent first, also deleted ones', async () => {
    const actor = { userId: null, via: 'mcp', client: 'agent' } as const;
    const here = join(home, 'here');
    mkdirSync(here);
    for (const [root, calls] of [
      [join(home, 'gone'), 1],
      [here, 2],
    ] as const) {
      const activity = openActivity(base, root);
      for (let n = 0; n < calls; n++)
        activity.begin({ tool: 'read_file', actor, started: Date.now(), paths: () => ['a'] }).finish({ outcome: 'ok' });
      activity.close();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    mkdirSync(join(base, 'activity', 'half-made'));
    const { workspaces, directory } = await doctor({}, here);
    expect(workspaces).toMatchObject([
      { root: here, exists: true, calls: 2 },
      { root: join(home, 'gone'), exists: false, calls: 1 },
    ]);
    expect(directory).toEqual({ root: here, calls: 2 });
  });

  it('says why a directory cannot be served', async () => {
    const { ok, problems } = await doctor({}, join(home, 'nowhere'));
    expect(ok).toBe(false);
    expect(whats(problems)).toContain(`${join(home, 'nowhere')} cannot be served`);
  });

  it('warns of UV_USE_IO_URING', async () => {
    const { notes } = await doctor({ UV_USE_IO_URING: '1' });
    expect(whats(notes)).toContain('Landlock does not cover io_uring');
  });

  it.skipIf(landlockAbi() < 2)(
    'reports a second sandbox with a failed self-test, or without a result, as a problem',
    async () => {
      const through = await doctor(
        {},
        undefined,
        '{"active":false,"reason":"the self-test could still read a file outside"}',
      );
      expect(whats(through.problems)).toContain('the self-test could still read a file outside');
      const silent = await doctor({}, undefined, 'oops');
      expect(silent.secondWall.active).toBe(false);
      expect(whats(silent.problems)).toContain('ended without a result');
    },
  );

  it('prints a report for people', async () => {
    const text = renderDoctorReport(await doctor({ CROFT_PORT: 'x' }), palette({}));
    for (const title of [
      'Path resolver',
      'Second sandbox',
      'Base directory',
      'Configuration',
      'Limits',
      'Workspaces with activity',
      'Problems',
    ]) {
      expect(text).toContain(`\n${title}\n`);
    }
    expect(text).toContain('maxFileBytes           10,485,760');
    expect(text.endsWith('1 problem.\n')).toBe(true);
  });

  it('ends with the missing protection, and reports no problems only if nothing is missing', async () => {
    const lastLine = async (answer?: string) =>
      renderDoctorReport(await doctor({}, undefined, answer), palette({}))
        .trimEnd()
        .split('\n')
        .at(-1);
    expect(await lastLine()).toBe('No problems found.');
    expect(await lastLine('{"active":false,"reason":"why"}')).toBe(
      'Reduced protection: Landlock does not restrict the process (why).',
    );
  });
});

describe('the base directory', () => {
  const pepper = () => join(base, 'workspaces', '.fs_pepper');
  const makePepper = (content: string, mode: number) => {
    mkdirSync(join(base, 'workspaces'), { recursive: true, mode: 0o700 });
    writeFileSync(pepper(), content);
    chmodSync(pepper(), mode);
  };

  it.runIf(onUnix)('reports state and mode of a pepper, never its content', () => {
    const secret = 'k'.repeat(32);
    makePepper(secret, 0o600);
    const examined = examineBaseDir(base);
    expect(examined).toMatchObject({
      problems: [],
      notes: [],
      report: { mode: '0700', pepper: { state: 'present', mode: '0600' } },
    });
    expect(JSON.stringify(examined)).not.toContain(secret);
  });

  it.runIf(onUnix)('reports a pepper that other users may read, and one that is too short', () => {
    makePepper('k'.repeat(32), 0o640);
    expect(examineBaseDir(base).problems).toEqual([
      { what: `Other users may read the pepper ${pepper()} (mode 0640)`, advice: `Run chmod 600 ${pepper()}` },
    ]);
    makePepper('short', 0o600);
    expect(examineBaseDir(base).report.pepper.state).toBe('unusable');
  });

  it('reports a missing pepper if namespaces exist', () => {
    mkdirSync(join(base, 'workspaces', 'users', 'ab'), { recursive: true, mode: 0o700 });
    expect(whats(examineBaseDir(base).problems)).toContain('is gone');
  });

  it.runIf(onUnix)(
    'reports a directory that other users may write to as a problem, one that they may read as a note',
    () => {
      mkdirSync(base);
      chmodSync(base, 0o755);
      expect(examineBaseDir(base)).toMatchObject({ problems: [], notes: [{ advice: `Run chmod 700 ${base}` }] });
      chmodSync(base, 0o770);
      expect(whats(examineBaseDir(base).problems)).toContain('Other users may change');
    },
  );

  it('reports a file at its path, and a parent that is a file', () => {
    writeFileSync(base, '');
    expect(whats(examineBaseDir(base).problems)).toContain('is not a directory');
    expect(whats(examineBaseDir(join(base, 'below')).problems)).toContain('cannot be written');
  });

  it.runIf(process.platform === 'linux')('reports a directory that cannot be created, also for root', () => {
    for (const path of ['/proc/x', '/proc/x/y/z', '/sys/x'])
      expect(whats(examineBaseDir(path).problems), path).toContain('cannot be written');
  });

  it.skipIf(asRoot || !onUnix)('reports a directory that is not writable', () => {
    mkdirSync(base, { mode: 0o500 });
    expect(whats(examineBaseDir(base).problems)).toContain('cannot be written');
  });

  it('leaves no files in it', () => {
    mkdirSync(base, { mode: 0o700 });
    expect(examineBaseDir(base).report.writable).toBe(true);
    expect(readdirSync(base)).toEqual([]);
  });
});

describe.skipIf(!existsSync(built))('the installed program', () => {
  const croft = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const all = { PATH: process.env.PATH, HOME: home, TMPDIR: home, ...env };
      execFile(process.execPath, [built, 'doctor', ...args], { cwd: home, env: all }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });

  it('activates the second sandbox in a child process, and stays unrestricted itself', async () => {
    const work = join(home, 'work');
    mkdirSync(work);
    const { code, stdout, stderr } = await croft(['--json', work]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const report = JSON.parse(stdout) as DoctorReport;
    expect(report.directory?.root).toBe(work);
    expect(report.secondWall.abi).toBe(landlockAbi());
    expect(report.secondWall.active).toBe(landlockAbi() >= 2);
    expect(readdirSync(home).sort()).toEqual(['.croft', 'work']);
  });

  it('ends with exit code 1 if there is a problem', async () => {
    const { code, stdout } = await croft([], { CROFT_AUTO_LOGIN: 'flase' });
    expect(code).toBe(1);
    expect(stdout).toContain('CROFT_AUTO_LOGIN must be true or false');
  });
});
