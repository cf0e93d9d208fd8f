import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeSearchWorkers } from '@croft/workspace';
import { afterAll, afterEach } from 'vitest';
import { type Bench, makeBench } from './testing.ts';
import type { ToolsetName } from './toolset-names.ts';

/** The workspace and the tools of each test. */
export interface BenchTests {
  /** Creates the workspace of a test, and gives the function that calls its tools. */
  setUp(lines?: readonly string[]): Bench['call'];
  /** Calls a tool of the workspace of this test. */
  readonly call: Bench['call'];
  /** The host path of a name in the workspace. */
  host(path: string): string;
  /** The content of a file in the workspace. */
  text(path: string): string;
}

/** Gives each test of a file that calls `setUp` a workspace with the tools of one set. Removes it after the test. */
export function useBench(toolset: ToolsetName): BenchTests {
  let bench: Bench;
  afterEach(() => bench?.close());
  afterAll(() => closeSearchWorkers());
  const host = (path: string) => join(bench.scratch.workspace, path);
  return {
    setUp(lines = []) {
      bench = makeBench(toolset, lines);
      return bench.call;
    },
    call: (...args) => bench.call(...args),
    host,
    text: (path) => readFileSync(host(path), 'utf8'),
  };
}
