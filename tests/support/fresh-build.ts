import { relative } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build, buildThreads, linkPackages, root } from '../../scripts/prepare.mjs';

/** Tests that start the command line, load compiled packages or open the built pages. */
const RUNS_PROGRAM =
  /^(apps\/(cli|server)|packages\/mcp|tests\/(browser|gateway|launcher|store))\/|^tests\/guard\/limits/;
/** Tests that never search a workspace. */
const RUNS_SOURCES_ONLY = /^(apps\/studio|packages\/(event-log|guard)|tests\/guard)\//;

/**
 * Builds stale output before tests that run it: search threads run packages/workspace/dist, and tests of the command
 * line run apps/cli/dist. For fresh output it only compares the files' times. `CROFT_TEST_BUILD=off` builds nothing.
 */
export default async function setup(project: TestProject): Promise<void> {
  if (process.env['CROFT_TEST_BUILD'] === 'off') return;
  linkPackages();
  const { filenamePattern } = project.vitest as unknown as { filenamePattern?: string[] };
  const { testFiles } = await project.globTestFiles(filenamePattern);
  buildFor(testFiles);
  project.onTestsRerun((specifications) => buildFor(specifications.map(({ moduleId }) => moduleId)));
}

function buildFor(files: readonly string[]): void {
  const output = outputNeededBy(files.map((file) => relative(root, file).replaceAll('\\', '/')));
  if (output === 'program') build();
  else if (output === 'threads') buildThreads();
}

/** The built output that the tests in these files run. Paths are relative to the repository. */
export function outputNeededBy(paths: readonly string[]): 'program' | 'threads' | undefined {
  if (paths.some((path) => RUNS_PROGRAM.test(path))) return 'program';
  return paths.some((path) => !RUNS_SOURCES_ONLY.test(path)) ? 'threads' : undefined;
}
