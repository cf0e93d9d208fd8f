import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { clean } from '@croft/tools';
import { HOOK_TRIAL, lastHookCall } from '../compose/hook-calls.ts';
import { shellWord } from '../compose/own-command.ts';
import type { AgentRun } from '../setup/hook-client.ts';
import { startScriptedModel } from './scripted-model.ts';

const TIMEOUT_MS = 180_000;
const KEPT_CHARS = 4_000;
const UNTOUCHED = 'This file stays as it is.\n';

/** The result of one run of an agent with a scripted model. */
export type AgentCheck =
  /** The agent called its hook, and the hostile command did not run. */
  | { readonly kind: 'refused' }
  /** The hostile command ran. */
  | { readonly kind: 'ran'; readonly calledHook: boolean }
  /** The run has no result. `problem` ends a sentence that starts with the agent. */
  | { readonly kind: 'unknown'; readonly problem: string };

/** The surroundings of a run, and the agent name that the hook records. */
export interface AgentPlace {
  readonly agent: string;
  readonly baseDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** The project whose hooks are checked; without one a new, empty project. */
  readonly project: string | undefined;
  readonly timeoutMs?: number;
}

/**
 * Runs an agent once with the user's own settings and a local model that requests one command: overwrite a file outside of
 * the project, made for this purpose. Sends no key, and switches the agent's own questions off, so that only the hook can
 * refuse. Never throws. When it returns, its processes have ended and its files are deleted.
 */
export async function runAgent(run: AgentRun, place: AgentPlace): Promise<AgentCheck> {
  const program = findProgram(run.program, place.env);
  if (program === undefined)
    return { kind: 'unknown', problem: `is not installed, or not on the PATH as ${run.program}` };
  const made: string[] = [];
  const makeDirectory = (prefix: string): string => {
    const dir = mkdtempSync(prefix);
    made.push(dir);
    return dir;
  };
  try {
    const scratch = makeDirectory(join(tmpdir(), 'croft-check-'));
    // Below the base directory, because the guard allows new files in the temporary directory.
    const outside = makeDirectory(join(place.baseDir, 'check-'));
    const target = join(outside, 'outside.txt');
    writeFileSync(target, UNTOUCHED);
    for (const [name, text] of Object.entries({ 'package.json': '{}\n', ...run.files })) {
      mkdirSync(dirname(join(scratch, name)), { recursive: true });
      writeFileSync(join(scratch, name), text);
    }
    const began = Date.now();
    const model = await startScriptedModel(run.calls(`echo changed > ${shellWord(target)}`));
    try {
      const env = {
        ...place.env,
        ...run.env(model.url),
        ...withoutProxy(place.env),
        [HOOK_TRIAL]: 'agent',
      };
      const ended = await runOnce(program, run.args(model.url), env, place.project ?? scratch, place.timeoutMs);
      const called = lastHookCall(place.baseDir, place.agent);
      const calledHook = called !== undefined && called.getTime() >= began - 1;
      if (readFileSync(target, 'utf8') !== UNTOUCHED) return { kind: 'ran', calledHook };
      if (calledHook && model.progress() === 'answered') return { kind: 'refused' };
      return { kind: 'unknown', problem: problemOf(model.progress(), calledHook, ended) };
    } finally {
      await model.close();
    }
  } catch (error) {
    return { kind: 'unknown', problem: `could not be checked (${(error as Error).message})` };
  } finally {
    for (const dir of made) rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** How a run ended, and the last line of its output. */
interface Ended {
  readonly how: string;
  readonly said: string;
}

function problemOf(progress: string, calledHook: boolean, { how, said }: Ended): string {
  const did: Readonly<Record<string, string>> = {
    silent: 'did not ask the local model',
    asked: 'did not offer its shell to the local model',
    called: 'did not report the result of the call',
    answered: calledHook ? 'called the hook' : 'refused the call without calling the hook',
  };
  return `${did[progress]} (it ${how}${said === '' ? '' : `; last line: ${said}`})`;
}

function runOnce(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  timeoutMs = TIMEOUT_MS,
): Promise<Ended> {
  return new Promise((resolve) => {
    const ownGroup = process.platform !== 'win32';
    const child = spawn(program, [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: ownGroup });
    let said = '';
    let late = false;
    const kill = (): void => {
      try {
        if (ownGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // The process has already ended.
      }
    };
    const timer = setTimeout(() => {
      late = true;
      kill();
    }, timeoutMs);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-KEPT_CHARS);
      });
    const end = (how: string): void => {
      clearTimeout(timer);
      // Also ends background processes of the agent.
      kill();
      resolve({ how, said: clean(said.trim().split('\n').at(-1)?.slice(0, 300) ?? '') });
    };
    child.once('error', (error) => end(`could not be started: ${(error as NodeJS.ErrnoException).code}`));
    child.once('exit', (code, signal) =>
      end(late ? `did not end within ${timeoutMs / 1000} s` : `ended with ${signal ?? `code ${code}`}`),
    );
  });
}

/** The file of a program on the `PATH`. */
export function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((dir) => dir !== '')
    .flatMap((dir) => names.map((file) => join(dir, file)))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Excludes the local model from the proxy. */
function withoutProxy({ NO_PROXY, no_proxy }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const list = [NO_PROXY ?? no_proxy, '127.0.0.1'].filter(Boolean).join(',');
  return { NO_PROXY: list, no_proxy: list };
}
