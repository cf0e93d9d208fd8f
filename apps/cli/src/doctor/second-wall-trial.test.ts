import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { landlockAbi } from '@croft/workspace';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { examineSecondWall, tryWallHere } from './second-wall-trial.ts';

let dir: string;
let program: string;
beforeEach(() => {
  dir = testDir();
  program = join(dir, 'stand-in.cjs');
});

/** The report with a program that runs this code in place of the trial. */
function examine(code: string, env: NodeJS.ProcessEnv = {}) {
  writeFileSync(program, code);
  return examineSecondWall({ node: process.execPath, args: ['--no-warnings', program] }, { ...process.env, ...env });
}
const prints = (text: string) => `process.stdout.write(${JSON.stringify(text)})`;

describe.runIf(process.platform === 'linux')('the trial of the second sandbox', () => {
  it('runs in an empty directory, which is removed afterwards', async () => {
    const kept = join(dir, 'kept.json');
    await examine(
      `const { readdirSync, writeFileSync } = require('node:fs');
       const cwd = process.cwd();
       writeFileSync(${JSON.stringify(kept)}, JSON.stringify({ args: process.argv.slice(2), cwd, names: readdirSync(cwd), env: process.env.MARK }));`,
      { MARK: 'x' },
    );
    const { args, cwd, names, env } = JSON.parse(readFileSync(kept, 'utf8'));
    expect(args).toEqual(['doctor', '--second-wall-trial', cwd]);
    expect([names, env]).toEqual([[], 'x']);
    expect(existsSync(cwd)).toBe(false);
  });

  it('has nothing to say where the sandbox was active', async () => {
    expect(await examine(prints('{"active":true,"abi":7}'))).toEqual({
      report: { abi: landlockAbi(), active: true },
      problems: [],
      notes: [],
    });
  });

  it('gives the reason where it is off, as a problem if this kernel could have it', async () => {
    const { report, problems, notes } = await examine(prints('{"active":false,"reason":"no koffi"}'));
    expect(report).toEqual({ abi: landlockAbi(), active: false, reason: 'no koffi' });
    const expected =
      landlockAbi() > 1
        ? {
            problems: [
              {
                what: 'The second sandbox is off although this kernel has Landlock: no koffi',
                advice:
                  'The path resolver protects without it; please report this with the output of croft doctor --json',
              },
            ],
            notes: [],
          }
        : {
            problems: [],
            notes: [
              {
                what: 'The second sandbox is off: no koffi',
                advice:
                  'The path resolver protects without it. To have both, use Linux 5.19 or later with Landlock enabled, and koffi',
              },
            ],
          };
    expect({ problems, notes }).toEqual(expected);
  });

  it('says how a trial without a result ended', async () => {
    const reason = async (code: string) => (await examine(code)).report.reason;
    expect(await reason('process.exit(3)')).toBe('the trial ended without a result (3)');
    expect(await reason("process.kill(process.pid, 'SIGKILL')")).toBe('the trial ended without a result (SIGKILL)');
    expect(await reason('')).toBe('the trial ended without a result');
    expect(await reason(prints('{"active":"yes"}'))).toBe('the trial ended without a result');
  });

  it('has one note where io_uring is on', async () => {
    const advice = 'Unset UV_USE_IO_URING';
    const what = 'UV_USE_IO_URING is set, and Landlock does not cover io_uring, so the second sandbox stays off';
    const found = await examine(prints('{"active":false,"reason":"x"}'), { UV_USE_IO_URING: '1' });
    expect(found).toMatchObject({ problems: [], notes: [{ what, advice }] });
  });
});

it('writes the result of the child process as JSON', async () => {
  // With it, nothing restricts this process.
  vi.stubEnv('UV_USE_IO_URING', '1');
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await tryWallHere(dir);
    expect(write.mock.calls).toEqual([[expect.stringMatching(/^\{"active":false,"reason":".+"\}\n$/)]]);
  } finally {
    write.mockRestore();
    vi.unstubAllEnvs();
  }
});
