import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { landlockAbi, type SecondWallStatus } from '@croft/workspace';
import { programDirs, raiseSecondWall } from '../compose/second-wall.ts';
import type { Examined, Finding, SecondWallReport } from './report.ts';

const TRIAL_TIMEOUT_MS = 15_000;

/** The command that starts this program again. */
export interface Restart {
  readonly node: string;
  /** Before the command: flags of Node, and the entry file. */
  readonly args: readonly string[];
}

/**
 * Activates the second sandbox in a child process, around an empty temporary directory, and runs the self-test there. The
 * result is that of `croft mcp`; this process stays unrestricted.
 */
export async function examineSecondWall(restart: Restart, env: NodeJS.ProcessEnv): Promise<Examined<SecondWallReport>> {
  const abi = landlockAbi();
  const status = process.platform === 'linux' ? await runTrial(restart, env) : notHere;
  const report: SecondWallReport = { abi, active: status.active, ...(!status.active && { reason: status.reason }) };
  const notes: Finding[] = [];
  const problems: Finding[] = [];
  if (env.UV_USE_IO_URING) {
    notes.push({
      what: 'UV_USE_IO_URING is set, and Landlock does not cover io_uring, so the second sandbox stays off',
      advice: 'Unset UV_USE_IO_URING',
    });
  } else if (!status.active && abi > 1) {
    problems.push({
      what: `The second sandbox is off although this kernel has Landlock: ${status.reason}`,
      advice: 'The path resolver protects without it; please report this with the output of croft doctor --json',
    });
  } else if (!status.active && process.platform === 'linux') {
    notes.push({
      what: `The second sandbox is off: ${status.reason}`,
      advice:
        'The path resolver protects without it. To have both, use Linux 5.19 or later with Landlock enabled, and koffi',
    });
  }
  return { report, problems, notes };
}

const notHere: SecondWallStatus = { active: false, reason: 'only Linux has Landlock' };

/** Runs in the child: restricts the process permanently, tests the restriction, and writes the result to standard output. */
export async function tryWallHere(dir: string): Promise<void> {
  const status = await raiseSecondWall({ write: [dir], read: programDirs() }).verified;
  process.stdout.write(`${JSON.stringify(status)}\n`);
}

function runTrial(restart: Restart, env: NodeJS.ProcessEnv): Promise<SecondWallStatus> {
  const dir = mkdtempSync(join(tmpdir(), 'croft-doctor-'));
  return new Promise<SecondWallStatus>((resolve) => {
    const args = [...restart.args, 'doctor', '--second-wall-trial', dir];
    execFile(
      restart.node,
      args,
      { env, cwd: dir, timeout: TRIAL_TIMEOUT_MS, killSignal: 'SIGKILL' },
      (error, stdout) => {
        resolve(
          readStatus(stdout) ?? {
            active: false,
            reason: `the trial ended without a result${error ? ` (${error.code ?? error.signal ?? error.message})` : ''}`,
          },
        );
      },
    );
  }).finally(() => rmSync(dir, { recursive: true, force: true }));
}

function readStatus(text: string): SecondWallStatus | undefined {
  try {
    const status = JSON.parse(text) as Partial<SecondWallStatus>;
    return typeof status.active === 'boolean' ? (status as SecondWallStatus) : undefined;
  } catch {
    return undefined;
  }
}
