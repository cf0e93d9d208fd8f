import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeSurroundings, runCroft, type Surroundings } from '@croft/mcp/testing';
import { afterEach, beforeEach } from 'vitest';

/** How a test runs the guard. */
export interface GuardRun {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** A project for tests of the guard, in a home directory of its own. */
export interface GuardedProject {
  readonly surroundings: Surroundings;
  readonly project: string;
  /** Runs `croft guard COMMAND` in the project with this text, or JSON, on standard input. */
  readonly run: (command: 'check' | 'hook', input: unknown, run?: GuardRun) => ReturnType<typeof runCroft>;
}

function makeGuardedProject(): GuardedProject {
  const surroundings = makeSurroundings();
  const project = join(surroundings.home, 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  mkdirSync(join(project, '.git'));
  return {
    surroundings,
    project,
    run: (command, input, { args = [], env = {}, cwd = project } = {}) =>
      runCroft(['guard', command, ...args], {
        env: { ...surroundings.env, ...env },
        cwd,
        input: typeof input === 'string' ? input : JSON.stringify(input),
      }),
  };
}

/** Gives each test a guarded project of its own, and removes it after the test. */
export function useGuardedProject(setUp: (made: GuardedProject) => void): void {
  let made: GuardedProject;
  beforeEach(() => {
    made = makeGuardedProject();
    setUp(made);
  });
  afterEach(() => made.surroundings.remove());
}
