import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  callOn,
  copyProgram,
  initialize,
  openWire,
  runCroft,
  type Surroundings,
  useSurroundings,
} from '@croft/mcp/testing';
import { describe, expect, it } from 'vitest';

let surroundings: Surroundings;
const log = () => runCroft(['log', '--dir', surroundings.workspace], { env: surroundings.env });
const cacheDir = () => join(surroundings.base, 'cache');
const cacheFile = () => join(cacheDir(), readdirSync(cacheDir())[0] as string);

useSurroundings((made) => {
  surroundings = made;
  rmSync(cacheDir(), { recursive: true });
});

describe('the code cache', () => {
  it('is kept in the base directory, private, and never in the workspace or the home', async () => {
    expect((await log()).code).toBe(0);
    expect(readdirSync(cacheDir())).toHaveLength(1);
    expect(statSync(cacheFile()).mode & 0o777).toBe(0o600);
    expect(statSync(cacheDir()).mode & 0o777).toBe(0o700);
    expect(readdirSync(surroundings.workspace)).toEqual([]);
    expect(readdirSync(surroundings.home)).toEqual([]);
    const { mtimeMs } = statSync(cacheFile());
    await log();
    expect(statSync(cacheFile()).mtimeMs).toBe(mtimeMs);
  });

  it('is kept for each command, and once for refused command lines and help', async () => {
    const start = (...args: string[]) => runCroft(args, { env: surroundings.env });
    const kept = () =>
      readdirSync(cacheDir())
        .map((name) => name.split(`-${process.arch}-`)[1])
        .sort();
    expect((await start('log', '--nope')).code).toBe(2);
    expect((await start('srve')).code).toBe(2);
    expect((await start('srve', '--version')).code).toBe(0);
    expect((await start('log', '--help')).code).toBe(0);
    expect((await start('srve', '--help')).code).toBe(2);
    expect(kept()).toEqual(['help.bin']);
    expect((await log()).code).toBe(0);
    expect(kept()).toEqual(['help.bin', 'log.bin']);
    await start('guard', 'hook');
    expect(kept()).toEqual(['guard-hook.bin', 'help.bin', 'log.bin']);
  });

  it('is written inside the second sandbox as well', async () => {
    const wire = openWire(['mcp', surroundings.workspace], { env: surroundings.env });
    await initialize(wire);
    wire.child.stdin?.end();
    await wire.ended;
    expect(readdirSync(cacheDir())).toHaveLength(1);
    expect(readdirSync(surroundings.workspace)).toEqual([]);
  });

  const damages: readonly { what: string; damage: (file: string) => void }[] = [
    { what: 'is empty', damage: (file) => truncateSync(file, 0) },
    { what: 'is cut short', damage: (file) => truncateSync(file, 1_000) },
    { what: 'holds something else', damage: (file) => writeFileSync(file, 'x'.repeat(100_000)) },
    {
      what: 'has flipped bytes',
      damage: (file) => {
        const bytes = readFileSync(file);
        for (let i = 1_000; i < bytes.length; i += 997) bytes[i] = (bytes[i] as number) ^ 0xff;
        writeFileSync(file, bytes);
      },
    },
    {
      what: 'is a directory',
      damage: (file) => {
        renameSync(file, `${file}.away`);
        mkdirSync(file);
      },
    },
  ];
  it.each(damages)('is ignored when it $what', async ({ damage }) => {
    await log();
    damage(cacheFile());
    const { code, stderr } = await log();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('of another build is deleted', async () => {
    await log();
    const stale = join(cacheDir(), `${'0'.repeat(16)}-1.2.3-x64-log.bin`);
    renameSync(cacheFile(), stale);
    await log();
    expect(readdirSync(cacheDir())).toHaveLength(1);
    expect(cacheFile()).not.toBe(stale);
  });
});

describe('the start', () => {
  // V8 rejects Node's own code cache once a flag differs, and then compiles each module of Node that is loaded.
  it.each([
    { what: 'the file server', args: () => ['mcp', surroundings.workspace] },
    { what: 'the hook of the guard', args: () => ['guard', 'hook'] },
  ])("of $what loads Node's modules before it changes V8's flags", async ({ args }) => {
    // The second sandbox lets the program write here.
    const seen = join(surroundings.workspace, 'modules.json');
    const probe = join(surroundings.root, 'probe.cjs');
    writeFileSync(
      probe,
      `const v8 = require('node:v8');
      const set = v8.setFlagsFromString;
      let early;
      v8.setFlagsFromString = (flag) => { early ??= new Set(process.moduleLoadList); set(flag); };
      process.on('exit', () => {
        const late = process.moduleLoadList.filter((name) => !early.has(name) && /^NativeModule (?!internal)/.test(name));
        require('node:fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(late));
      });`,
    );
    const wire = openWire(args(), { env: { ...surroundings.env, NODE_OPTIONS: `--require=${probe}` } });
    if (args()[0] === 'mcp') await initialize(wire);
    wire.child.stdin?.end();
    await wire.ended;
    expect(JSON.parse(readFileSync(seen, 'utf8'))).toEqual([]);
  });
});

describe('the program', () => {
  it('runs from a copy of its files, search included', async () => {
    writeFileSync(join(surroundings.workspace, 'a.txt'), 'needle');
    const wire = openWire(['mcp', surroundings.workspace], {
      env: surroundings.env,
      program: copyProgram(join(surroundings.root, 'copy')),
    });
    await initialize(wire);
    expect((await callOn(wire, 'grep_search', { pattern: 'needle' })).data).toMatchObject({ matches: ['a.txt'] });
    await wire.kill();
  });
});
