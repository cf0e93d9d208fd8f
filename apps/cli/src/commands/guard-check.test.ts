import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runCroft, type Surroundings } from '@croft/mcp/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import { type GuardedProject, type GuardRun, useGuardedProject } from '../guarded-project.ts';
import { UsageError } from '../usage-error.ts';
import { type CheckFlags, runGuardCheck } from './guard-check.ts';

let surroundings: Surroundings;
let project: string;
let run: GuardedProject['run'];

useGuardedProject((made) => void ({ surroundings, project, run } = made));

/** Starts the program. */
const start = (input: unknown, options?: GuardRun) => run('check', input, options);
/** Runs the command in this process. */
const check = (input: unknown, { args = [], env = {}, cwd = project }: GuardRun = {}) =>
  runCroftHere(['guard', 'check', ...args], {
    env: { ...surroundings.env, ...env },
    cwd,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  });

async function decisions(input: unknown, options: GuardRun = {}, runIn: typeof start | typeof check = check) {
  const { stdout, stderr, code } = await runIn(input, options);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { code, stderr, all: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const write = (path: string) => ({ name: 'write_file', arguments: { path, content: 'x' } });

describe('croft guard check', () => {
  it('allows a write inside the project with a complete decision and exit code 0', async () => {
    const { code, all, stderr } = await decisions(write('src/a.ts'), {}, start);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(all).toEqual([
      {
        decision: 'allow',
        reason: expect.any(String),
        rule: 'allowed',
        paths: [{ written: 'src/a.ts', read_as: 'src/a.ts', inside: true }],
        accepted: '',
      },
    ]);
  });

  it.each([['/etc/passwd'], ['../other/x'], ['~/.bashrc']])(
    'blocks %s with an alternative and exit code 1',
    async (path) => {
      const { code, all } = await decisions(write(path));
      expect(code).toBe(1);
      expect(all).toMatchObject([
        { decision: 'block', rule: 'outside-path', paths: [{ written: path, inside: false }] },
      ]);
      expect(all[0]?.accepted).toContain(project);
    },
  );

  it('prints the reaction of llm-interactive-proxy with --reaction', async () => {
    const calls = [write('/etc/passwd'), write('src/a.ts')].map((call) => JSON.stringify(call)).join('\n');
    const { code, all } = await decisions(calls, { args: ['--lines', '--reaction'] }, start);
    expect(code).toBe(1);
    expect(all).toEqual([
      {
        should_swallow: true,
        error_to_model: `File sandboxing violation: Path '/etc/passwd' is outside project directory '${project}'. Operation blocked for security.`,
        metadata: { decision: 'blocked', path: '/etc/passwd', project_root: project },
      },
      { should_swallow: false, metadata: { decision: 'allowed', path: 'src/a.ts', project_root: project } },
    ]);
  });

  it('judges arguments that are raw text as strictly as the strictest client', async () => {
    const { code, all } = await decisions(
      ['{"path":"a","path":"/etc/x"}', '{"path":"/etc/x"', '{"path":"a","content":""}']
        .map((text) => JSON.stringify({ name: 'write_file', arguments: text }))
        .join('\n'),
      { args: ['--lines'] },
    );
    expect(code).toBe(1);
    expect(all.map(({ rule }) => rule)).toEqual(['ambiguous-arguments', 'invalid-arguments', 'allowed']);
  });

  it('blocks a duplicate key in arguments that are an object', async () => {
    const { code, all } = await decisions('{"name":"write_file","arguments":{"path":"a","path":"/etc/x"}}');
    expect({ code, rule: all[0]?.rule }).toEqual({ code: 1, rule: 'ambiguous-arguments' });
  });

  it('blocks a line that is not a call and judges the next line', async () => {
    const { code, all } = await decisions(`{broken\n\n[]\n{"arguments":{}}\n${JSON.stringify(write('a'))}\n`, {
      args: ['--lines'],
    });
    expect(code).toBe(1);
    expect(all.map(({ rule }) => rule)).toEqual([
      'invalid-arguments',
      'invalid-arguments',
      'invalid-arguments',
      'allowed',
    ]);
  });

  it('suggests --lines for several calls in one input, but not with --lines', async () => {
    const { all } = await decisions('{broken\n', { args: ['--lines'] });
    expect(all[0]?.reason).toBe('Not valid JSON.');
    const two = await start(`${JSON.stringify(write('a'))}\n${JSON.stringify(write('b'))}`);
    expect(two).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--lines') });
  });

  it.each([
    [['--dry-run'], ''],
    [[], 'mode: dry-run'],
  ])('says that it is a dry run: %j %s', async (args, mode) => {
    writeFileSync(join(surroundings.base, 'croft.config.yaml'), `sandboxing: {${mode}}\n`);
    const { code, stderr, all } = await decisions(write('/etc/x'), { args });
    expect({ code, decision: all[0]?.decision }).toEqual({ code: 1, decision: 'block' });
    expect(stderr).toBe('croft: dry run: between an agent and a model, the guard lets every call pass\n');
  });

  it('ends with 0 when there are no lines', async () => {
    expect(await check('', { args: ['--lines'] })).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('reads one call over several lines', async () => {
    const { code } = await decisions(JSON.stringify(write('src/a.ts'), null, 2));
    expect(code).toBe(0);
  });

  it('decides undecidable calls by the mode', async () => {
    const call = { name: 'write_file', arguments: { content: 'x' } };
    expect(await decisions(call)).toMatchObject({ code: 0, all: [{ decision: 'allow', undecidable: true }] });
    expect(await decisions(call, { args: ['--strict'] })).toMatchObject({
      code: 1,
      all: [{ decision: 'block', rule: 'no-path-found' }],
    });
    expect((await decisions(call, { env: { SANDBOXING_STRICT_MODE: 'true' } })).code).toBe(1);
  });

  it('uses the root of --root, under each of its names', async () => {
    const other = join(surroundings.home, 'other');
    mkdirSync(other);
    symlinkSync('other', join(surroundings.home, 'alias'));
    for (const path of [join(other, 'x'), join(surroundings.home, 'alias/x')])
      expect((await decisions(write(path), { args: ['--root', other] })).code).toBe(0);
    expect((await decisions(write(join(project, 'x')), { args: ['--root', other] })).code).toBe(1);
  });

  it('blocks every call without a project', async () => {
    const { code, all } = await decisions(write('x'), { cwd: surroundings.home });
    expect(code).toBe(1);
    expect(all[0]).toMatchObject({ rule: 'no-project-root', accepted: expect.stringContaining('--root') });
  });

  it('allows the monorepo around the project with --allow-parent-access, but not the home directory', async () => {
    const mono = join(surroundings.home, 'mono');
    const app = join(mono, 'apps/one');
    mkdirSync(app, { recursive: true });
    writeFileSync(join(mono, 'package.json'), '{}');
    const run = (path: string, ...args: string[]) => decisions(write(path), { args: ['--root', app, ...args] });
    expect((await run('../two/x')).code).toBe(1);
    expect((await run('../two/x', '--allow-parent-access')).code).toBe(0);
    expect((await run('../../../x', '--allow-parent-access')).code).toBe(1);
    expect((await run('/x', '--allow-parent-access')).code).toBe(1);
  });

  it('judges paths of an agent on another machine without this disk', async () => {
    const args = ['--remote', '--root', 'C:\\work\\proj'];
    expect((await decisions(write('C:\\work\\proj\\a.txt'), { args })).code).toBe(0);
    expect((await decisions(write('C:\\Windows\\a.txt'), { args })).code).toBe(1);
  });
});

describe('the configuration of croft guard', () => {
  const configure = (text: string, name = 'croft.config.yaml') => {
    mkdirSync(surroundings.base, { recursive: true });
    writeFileSync(join(surroundings.base, name), text);
    return join(surroundings.base, name);
  };
  const configureProject = (text: string, name = 'croft.config.yaml') => writeFileSync(join(project, name), text);

  it('is croft.config.yaml in the base directory', async () => {
    configure('sandboxing:\n  excluded_tools: [write_file]\n');
    expect(await decisions(write('/etc/x'))).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['enabled: false', 'enabled', '/etc/x'],
    ['excluded_tools: [write_file]', 'excluded_tools', '/etc/x'],
    ['allowed_roots: [..]', 'allowed_roots', '../x'],
    ['protect: []', 'protect', '.git/hooks/pre-commit'],
    ['mode: dry-run', 'mode', '/etc/x'],
    ['allow_parent_access: true', 'allow_parent_access', '../x'],
    ['agents: {me: {enabled: false}}', 'agents', '/etc/x'],
    ['projects: {.: {enabled: false}}', 'projects', '/etc/x'],
  ])("is not loosened by a project's own file, and says so with the place: %s", async (line, key, path) => {
    configureProject(`sandboxing:\n  ${line}\n`);
    const { code, stderr } = await decisions(write(path), { args: ['--agent', 'me'], cwd: join(project, 'src') });
    // The file must not be found through the shell's working directory either.
    const moved = path === '../x' ? await decisions(write(join(surroundings.home, 'x'))) : { code };
    expect(moved.code).toBe(1);
    expect(stderr).toBe(
      `croft: ${join(project, 'croft.config.yaml')}:2:3: sandboxing.${key} is not obeyed: a project's own file may only tighten. To allow it, put it into ${join(surroundings.base, 'croft.config.yaml')} under sandboxing.projects, below ${JSON.stringify(project)}\n`,
    );
  });

  it("is tightened by a project's own file, from any directory in it and over the environment", async () => {
    configureProject('sandboxing: {enabled: true, strict_mode: true, protect: [Makefile]}\n');
    configure('sandboxing: {enabled: false, protect: [justfile]}\n');
    const run = { cwd: join(project, 'src'), env: { ENABLE_SANDBOXING: 'false' } };
    for (const path of ['/etc/x', join(project, 'Makefile'), join(project, 'justfile')])
      expect(await decisions(write(path), run)).toMatchObject({ code: 1, stderr: '' });
    expect((await decisions({ name: 'write_file', arguments: { content: 'x' } }, run)).code).toBe(1);
    const rooted = { cwd: surroundings.home, args: ['--root', project] };
    expect((await decisions(write('/etc/x'), rooted)).code).toBe(1);
    expect((await decisions(write('/etc/x'), { args: ['--enable-sandboxing=false'] })).code).toBe(0);
  });

  it('is not read from a working directory below the project', async () => {
    writeFileSync(join(project, 'src/croft.config.yaml'), 'sandboxing: [\n');
    expect(await decisions(write('x'), { cwd: join(project, 'src') })).toMatchObject({ code: 0, stderr: '' });
  });

  it("may loosen the policy if --config names the project's own file", async () => {
    configureProject('sandboxing: {excluded_tools: [write_file]}\n');
    const args = ['--config', 'croft.config.yaml'];
    expect(await decisions(write('/etc/x'), { args })).toMatchObject({ code: 0, stderr: '' });
  });

  it('stops the start if its name ends in .yml, in the base directory and in the project', async () => {
    const file = configure('', 'croft.config.yml');
    const says = (path: string) => `croft: ${path} is not read: its name must be croft.config.yaml\n`;
    expect(await check(write('a'))).toMatchObject({ code: 2, stdout: '', stderr: says(file) });
    rmSync(file);
    configureProject('', 'croft.config.yml');
    expect(await check(write('a'))).toMatchObject({ code: 2, stderr: says(join(project, 'croft.config.yml')) });
  });

  it('must not be a link to a device', async () => {
    symlinkSync('/dev/zero', join(project, 'croft.config.yaml'));
    expect(await check(write('a'))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('not a file'),
    });
  });

  it('stops the start with an invalid project file, and says what is wrong', async () => {
    configureProject('sandboxing:\n  agents: {x: {strict_mod: true}}\n');
    const { code, stderr } = await start(write('a'));
    expect(code).toBe(2);
    expect(stderr).toContain('croft.config.yaml:2:16: sandboxing.agents.x.strict_mod is not a key');
  });

  it('is the file that --config names', async () => {
    configure('sandboxing:\n  excluded_tools: [write_file]\n');
    const file = configure('sandboxing:\n  allowed_roots: [../home/shared]\n', 'guard.yaml');
    mkdirSync(join(surroundings.home, 'shared'));
    const args = ['--config', file];
    expect((await decisions(write('/etc/x'), { args })).code).toBe(1);
    expect((await decisions(write('../shared/x'), { args })).code).toBe(0);
  });

  it('warns about allowed roots that allow nothing', async () => {
    const [file, gone, there] = ['file', 'gone', 'there'].map((name) => join(surroundings.home, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(file, '');
    mkdirSync(there);
    configure(`sandboxing: {projects: {${project}: {allowed_roots: [${file}, ${gone}, ${there}]}}}\n`);
    const { code, stderr, all } = await decisions(write(join(there, 'x')));
    expect({ code, reason: all[0]?.reason }).toEqual({
      code: 0,
      reason: `Every path is inside the allowed directory '${there}'`,
    });
    expect(stderr).toBe(
      `croft: allowed_roots: ${file} is no directory, so it allows nothing until it is made\ncroft: allowed_roots: ${gone} is not there, so it allows nothing until it is made\n`,
    );
    for (const path of [file, join(file, 'x'), join(gone, 'x')]) expect((await decisions(write(path))).code).toBe(1);
    const removed = await decisions({ name: 'delete_file', arguments: { path: there } });
    expect(removed.all[0]?.reason).toContain(`is the allowed directory '${there}' itself`);
  });

  it('applies overrides to the named agent only', async () => {
    configure('sandboxing:\n  agents:\n    trusted:\n      excluded_tools: [write_file]\n');
    expect((await decisions(write('/etc/x'), { args: ['--agent', 'trusted-one'] })).code).toBe(0);
    expect((await decisions(write('/etc/x'), { args: ['--agent', 'other'] })).code).toBe(1);
  });

  it.each([
    [{ args: ['--enable-sandboxing=false'] }, '--enable-sandboxing'],
    [{ env: { ENABLE_SANDBOXING: 'false' } }, 'ENABLE_SANDBOXING'],
  ])('says so when it is off: %j', async (run, by) => {
    const { code, stderr, all } = await decisions(write('/etc/x'), run);
    expect({ code, decision: all[0]?.decision }).toEqual({ code: 0, decision: 'allow' });
    expect(stderr).toBe(`croft: the guard is off (${by}): every call passes\n`);
  });

  it('is switched on by the flag over a file and an environment that switch it off', async () => {
    configure('sandboxing:\n  enabled: false\n');
    const env = { ENABLE_SANDBOXING: 'false' };
    expect((await decisions(write('/etc/x'), { env, args: ['--enable-sandboxing'] })).code).toBe(1);
  });

  it("is accepted by croft mcp --http, which ignores the guard's keys", async () => {
    configure('sandboxing:\n  enabled: true\nprot: 1\n');
    const { stderr } = await runCroft(['mcp', '--http', '--no-open', '--port', '0'], { env: surroundings.env });
    expect(stderr).toContain(':3: prot is not a key');
  });

  const unusable: readonly (readonly [string, string])[] = [
    [
      'sandboxing:\n  strict_mod: true\n',
      'croft.config.yaml:2:3: sandboxing.strict_mod is not a key the guard knows; did you mean strict_mode?',
    ],
    [
      'sandboxing:\n  excluded_tools: ["("]\n',
      'croft.config.yaml:2:20: sandboxing.excluded_tools: Invalid regular expression',
    ],
    ['sandboxing: {enabled: false, strict_mode: true}\n', 'has no meaning while the guard is off'],
    ['sandboxing: [\n', 'croft.config.yaml:'],
  ];
  it.each(unusable)('stops the start with file, line and column, and no standard output: %j', async (text, says) => {
    configure(text);
    const { code, stdout, stderr } = await check(write('a'));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).toMatch(/^croft: [^\n]*\n$/);
  });

  it.each([
    [['--config', 'nowhere.yaml'], 'nowhere.yaml cannot be read: ENOENT'],
    [['--root', 'nowhere'], 'Not a directory: nowhere'],
    [['--enable-sandboxing=maybe'], 'Give true or false.'],
    [['--remote'], '--remote needs --root'],
    [['--remote', '--root', 'proj'], '--root must be an absolute path'],
    [['--strict', '--enable-sandboxing=false'], '--strict has no meaning'],
    [['--fly'], "unknown option '--fly'"],
    [['extra'], 'too many arguments'],
  ])('refuses %j', async (args, says) => {
    const { code, stdout, stderr } = await check(write('a'), { args });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
  });

  it.each([[''], ['{broken'], ['[]'], ['{"arguments":{}}'], ['{"name":7}']])(
    'ends with 2 for an input that is not a call: %j',
    async (input) => {
      const { code, stdout, stderr } = await check(input);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^croft: [^\n]*\n$/);
    },
  );
});

describe('runGuardCheck', () => {
  /** Judges this input in this process, with the project as the root. */
  async function checkHere(input: string | Buffer, flags: CheckFlags = {}) {
    const output = captureOutput();
    vi.stubEnv('CROFT_BASE_DIR', surroundings.base);
    vi.stubEnv('HOME', surroundings.home);
    const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from(input)]) as never);
    process.exitCode = 0;
    try {
      await runGuardCheck({ root: project, ...flags });
    } finally {
      stdin.mockRestore();
      vi.unstubAllEnvs();
    }
    return { code: process.exitCode, out: output.out, err: output.err };
  }
  const inside = JSON.stringify(write('src/a.ts'));
  const outside = JSON.stringify(write('/etc/x'));
  const allowed = {
    decision: 'allow',
    reason: 'Every path is inside the project directory',
    rule: 'allowed',
    paths: [{ written: 'src/a.ts', read_as: 'src/a.ts', inside: true }],
    accepted: '',
  };

  it('prints each decision as a line of JSON', async () => {
    const one = await checkHere(inside);
    expect([one.code, one.err, JSON.parse(one.out)]).toEqual([0, '', { ...allowed, reason: expect.any(String) }]);
    expect(one.out).toMatch(/^\{.*\}\n$/);
    const all = await checkHere(`${inside}\n \n[]\n{"name":"","arguments":{}}\nx\n${outside}`, { lines: true });
    const accepted = 'Give {"name": …, "arguments": …} as JSON.';
    const refused = (reason: string) => ({
      decision: 'block',
      reason,
      rule: 'invalid-arguments',
      paths: [],
      accepted,
    });
    const decided = all.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(decided.slice(1, -1)).toEqual([
      refused('A call is an object: {"name": …, "arguments": …}'),
      refused('A call needs a name: {"name": …, "arguments": …}'),
      refused('Not valid JSON.'),
    ]);
    expect([all.code, decided.length, decided.at(-1)?.['rule']]).toEqual([1, 5, 'outside-path']);
  });

  it('blocks arguments that clients read differently', async () => {
    const { code, out } = await checkHere('{"name":"write_file","arguments":{"path":"a","path":"/etc/x"}}');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ decision: 'block', rule: 'ambiguous-arguments', paths: [] });
  });

  it('says that an undecidable call is one', async () => {
    const { out } = await checkHere('{"name":"write_file","arguments":{"content":"x"}}');
    expect(JSON.parse(out)).toMatchObject({ decision: 'allow', undecidable: true });
  });

  it('prints the reaction of llm-interactive-proxy', async () => {
    const { out } = await checkHere(inside, { reaction: true });
    expect(JSON.parse(out)).toEqual({
      should_swallow: false,
      metadata: { decision: 'allowed', path: 'src/a.ts', project_root: project },
    });
  });

  it('says at its start that it is off, or that it is a dry run', async () => {
    const off = await checkHere(outside, { enableSandboxing: false });
    expect([off.code, off.err]).toEqual([0, 'croft: the guard is off (--enable-sandboxing): every call passes\n']);
    expect(JSON.parse(off.out)).toEqual({
      decision: 'allow',
      reason: 'The guard is off.',
      rule: 'allowed',
      paths: [],
      accepted: '',
    });
    const dry = await checkHere(outside, { dryRun: true });
    expect([dry.code, dry.err]).toEqual([
      1,
      'croft: dry run: between an agent and a model, the guard lets every call pass\n',
    ]);
  });

  it('writes for a person on a terminal, except with --json', async () => {
    const before = process.stdout.isTTY;
    Object.assign(process.stdout, { isTTY: true });
    onTestFinished(() => void Object.assign(process.stdout, { isTTY: before }));
    expect((await checkHere(inside)).out).toContain('write_file');
    expect(JSON.parse((await checkHere(inside, { json: true })).out)).toMatchObject({ decision: 'allow' });
  });

  it.each([
    ['', 'Nothing on standard input: give {"name": …, "arguments": …}'],
    [' \n', 'Nothing on standard input: give {"name": …, "arguments": …}'],
    [
      '{broken',
      'Not valid JSON. Give a call such as {"name": "bash", "arguments": {"command": "ls"}}; several, one a line, need --lines',
    ],
    ['[]', 'A call is an object: {"name": …, "arguments": …}'],
    ['null', 'A call is an object: {"name": …, "arguments": …}'],
    ['7', 'A call is an object: {"name": …, "arguments": …}'],
    ['{"name":7}', 'A call needs a name: {"name": …, "arguments": …}'],
    [Buffer.from([0xff]), 'Standard input is not UTF-8'],
  ])('refuses the input %j', async (input, problem) => {
    await expect(checkHere(input)).rejects.toThrow(new UsageError(problem));
  });
});
