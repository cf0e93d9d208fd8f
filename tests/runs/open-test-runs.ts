import { createSealer, openRuns, type RunContext, type Runs, type WorkerSettings } from '@croft/runs';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { type TestServices, testRegistry } from './test-components.ts';

export const testSealer = createSealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]);

/** For tests: a file in which components note their effects. */
export function effectsFile(): { path: string; lines(): string[]; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'croft-runs-'));
  const path = join(directory, 'effects');
  writeFileSync(path, '');
  return {
    path,
    lines: () => readFileSync(path, 'utf8').split('\n').filter(Boolean),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export type TestWorker = Partial<Omit<WorkerSettings<TestServices>, 'services'>> & {
  readonly log?: (line: string) => void;
  /** Called at the points of an effect. */
  readonly at?: (point: 'before' | 'after', node: string, run: RunContext) => void | Promise<void>;
};

/** For tests: runs with a worker in this process. */
export function openTestRuns(
  database: pg.ClientConfig,
  effects: string,
  { at = () => {}, log = () => {}, ...settings }: TestWorker = {},
): Promise<Runs> {
  return openRuns({
    database,
    sealer: testSealer,
    log,
    worker: {
      name: 'test',
      registry: testRegistry,
      pollMs: 30,
      beatMs: 200,
      deadAfterMs: 1_000,
      ...settings,
      services: (run) => ({
        services: { run, effects, at: (point, node) => at(point, node, run) },
        close: () => at('before', 'end', run),
      }),
    },
  });
}
