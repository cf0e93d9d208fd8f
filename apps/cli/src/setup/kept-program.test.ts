import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { openWire, PROGRAM, runCroft, type Surroundings, toolNames, useSurroundings } from '@croft/mcp/testing';
import { describe, expect, it } from 'vitest';
import { keptProgram } from './kept-program.ts';

const root = join(import.meta.dirname, '../../../..');
const dist = dirname(PROGRAM);
const { version, files } = JSON.parse(fs.readFileSync(join(dist, '../package.json'), 'utf8')) as {
  version: string;
  files: string[];
};
const shipped = files.filter((file) => /^dist\/.*\.(cjs|br)$/.test(file)).map((file) => file.replace(/^dist\//, ''));

let surroundings: Surroundings;
let cached: string;
let copy: string;
let config: string;

/** An installation like that of `npx`: in a cache that may be cleared at any time. */
useSurroundings((made) => {
  surroundings = made;
  const modules = join(made.home, '.npm/_npx/6f0e/node_modules');
  cached = join(modules, 'croft/dist/croft.cjs');
  install(cached);
  for (const name of ['koffi', '@koromix']) {
    const from = join(root, 'node_modules', name);
    if (fs.existsSync(from)) fs.symlinkSync(from, join(modules, name));
  }
  copy = join(made.base, 'programs', version, 'croft.cjs');
  config = join(made.home, '.cursor/mcp.json');
  fs.mkdirSync(dirname(config));
  fs.writeFileSync(config, '{}');
});

function install(script: string): void {
  fs.mkdirSync(dirname(script), { recursive: true });
  for (const name of shipped) fs.cpSync(join(dist, name), join(dirname(script), name));
}

const setup = (...args: string[]) => setupFrom(cached, ...args);
const setupFrom = (script: string, ...args: string[]) =>
  runCroft(['setup', '--client', 'cursor', '--yes', ...args], {
    program: script,
    cwd: surroundings.workspace,
    env: surroundings.env,
  });
const entry = () =>
  (JSON.parse(fs.readFileSync(config, 'utf8')) as { mcpServers: { croft: { args: string[] } } }).mcpServers.croft;

describe('the program that clients start', () => {
  it("is a complete copy in Croft's base directory, which works after the cache of npx is cleared", async () => {
    const { code, stdout } = await setup();
    expect(stdout).toContain(`connected: ${toolNames('full').length} tools`);
    expect(code).toBe(0);
    expect(entry().args[0]).toBe(copy);
    expect(fs.readFileSync(config, 'utf8')).not.toMatch(/npx|croft@/);
    expect(
      fs
        .readdirSync(dirname(copy))
        .filter((name) => /\.(cjs|br)$/.test(name))
        .sort(),
    ).toEqual([...shipped].sort());
    expect(fs.statSync(join(surroundings.base, 'programs')).mode & 0o777).toBe(0o700);
    fs.rmSync(join(surroundings.home, '.npm'), { recursive: true });
    const doctor = (script: string) => {
      const { stdout: text } = spawnSync(process.execPath, [script, 'doctor', '--json'], {
        cwd: surroundings.workspace,
        env: surroundings.env,
        encoding: 'utf8',
      });
      const { resolver, koffi, secondWall } = JSON.parse(text) as Record<string, unknown>;
      return { resolver, koffi, secondWall };
    };
    // The copy has the same protections as the installation.
    expect(doctor(copy)).toEqual(doctor(PROGRAM));
  });

  it('can search from the copy, so the copy has the search worker', async () => {
    await setup();
    fs.rmSync(join(surroundings.home, '.npm'), { recursive: true });
    fs.writeFileSync(join(surroundings.workspace, 'a.txt'), 'needle');
    const wire = openWire(entry().args.slice(1), { env: surroundings.env, program: entry().args[0] as string });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    wire.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    await wire.next(({ id }) => id === 1);
    wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const call = { name: 'grep_search', arguments: { pattern: 'needle' } };
    wire.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call });
    const answer = await wire.next(({ id }) => id === 2);
    await wire.kill();
    expect(JSON.stringify(answer)).toContain('a.txt');
  });

  it('replaces an entry that names a package of the registry', async () => {
    fs.writeFileSync(config, '{"mcpServers":{"croft":{"command":"npx","args":["-y","croft@0.1.0","mcp","/x"]}}}');
    expect((await setup()).code).toBe(0);
    expect(entry().args[0]).toBe(copy);
  });

  it('is replaced only if the installation was rebuilt', async () => {
    const first = await setup();
    expect(first.stdout).toContain('Copied the program to');
    const { ino } = fs.statSync(dirname(copy));
    const again = await setup();
    expect(again.stdout).not.toContain('Copied the program to');
    expect(fs.statSync(dirname(copy)).ino).toBe(ino);
    fs.writeFileSync(join(dirname(cached), 'search-worker.cjs'), '// another build', { flag: 'a' });
    const rebuilt = await setup();
    expect(rebuilt.stdout).toContain('nothing to change');
    expect(rebuilt.stdout).toContain('Copied the program to');
    expect(fs.readFileSync(join(dirname(copy), 'search-worker.cjs'), 'utf8')).toContain('// another build');
    expect(fs.readdirSync(join(surroundings.base, 'programs')).sort()).toEqual([version, `${version}.json`]);
  });

  it('of an older version is removed once no configuration names it', async () => {
    await setup();
    const old = join(surroundings.base, 'programs/0.0.1');
    fs.renameSync(dirname(copy), old);
    fs.renameSync(`${dirname(copy)}.json`, `${old}.json`);
    fs.writeFileSync(config, fs.readFileSync(config, 'utf8').replaceAll(`programs/${version}/`, 'programs/0.0.1/'));
    const other = join(surroundings.home, 'project.mcp.json');
    fs.writeFileSync(other, fs.readFileSync(config));
    fs.writeFileSync(`${old}.json`, JSON.stringify({ files: [config, other], pasted: false }));
    await setup();
    expect(entry().args[0]).toBe(copy);
    expect(fs.existsSync(old)).toBe(true);
    fs.rmSync(other);
    await setup('--remove');
    expect(fs.existsSync(old)).toBe(false);
    expect(fs.existsSync(copy)).toBe(false);
    expect(fs.readdirSync(join(surroundings.base, 'programs'))).toEqual([]);
  });

  it('is not copied by --dry-run, and can be set up from the copy itself', async () => {
    const dry = await setup('--dry-run');
    expect(dry.stdout).toContain(copy);
    expect(fs.existsSync(copy)).toBe(false);
    await setup();
    const { code, stdout } = await setupFrom(copy);
    expect(stdout).toContain(`connected: ${toolNames('full').length} tools`);
    expect(code).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('is refused in a directory that another user can change', async () => {
    fs.mkdirSync(join(surroundings.base, 'programs'), { recursive: true });
    fs.chmodSync(join(surroundings.base, 'programs'), 0o777);
    const { code, stderr } = await setup();
    expect(stderr).toContain('Other users could change the program in');
    expect(code).toBe(2);
    expect(fs.readFileSync(config, 'utf8')).toBe('{}');
  });

  it('is not made from an incomplete installation', () => {
    const script = join(surroundings.home, 'half/croft.cjs');
    fs.mkdirSync(dirname(script));
    fs.writeFileSync(script, '');
    const program = { node: process.execPath, script, version: '1.0.0', platform: process.platform };
    expect(() => keptProgram(program, surroundings.base).keep()).toThrow('croft-main.cjs, croft-guard.cjs');
  });
});
