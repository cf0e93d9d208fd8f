import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const ROOT = import.meta.dirname;
// Tests run the sources of every package. Search threads and the command line run built output, which
// tests/support/fresh-build.ts builds when it is stale.
const conditions = ['source'];
const TESTS = ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'tests/**/*.test.ts'];
/** Test files that replace parts of their process. */
const REPLACING = [
  // It replaces functions of node:fs before the modules that import them are loaded.
  'tests/guard/hook-mcp-and-proxy.test.ts',
  // It counts the descriptors and threads of its process.
  'packages/workspace/src/search/search.test.ts',
  // They close descriptors, and expect that nothing else takes their numbers.
  'packages/workspace/src/resolve/native.test.ts',
  'packages/workspace/src/resolve/open-regular.test.ts',
  'packages/workspace/src/resolve/root.test.ts',
  'packages/workspace/src/second-wall/landlock.test.ts',
  // It replaces node:worker_threads.
  'packages/workspace/src/search/worker.test.ts',
];
/**
 * Test files that measure costs. Once a process has 16 MB of compiled code, V8 compiles regular expressions without
 * optimization (`TooMuchRegExpCode` in its regexp.cc). They can then take 500 times as long.
 */
const MEASURING = ['packages', 'apps']
  .flatMap((top) => readdirSync(join(ROOT, top)).map((name) => `${top}/${name}/src`))
  .concat('tests')
  .filter((dir) => existsSync(join(ROOT, dir)))
  .flatMap((dir) => readdirSync(join(ROOT, dir), { recursive: true, encoding: 'utf8' }).map((file) => `${dir}/${file}`))
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('/support/yardstick.ts'));
/** Test files that need a process of their own. The others share processes and loaded modules, and leave them as they were. */
export const ALONE = [...REPLACING, ...MEASURING];
/** Tests of whole programs, which start browsers, servers and databases. */
const PROGRAMS = ['tests/{agents,attack,browser,clients,flows,fuzz,gateway,killed,runs}/**/*.test.ts'];
/** Test files that compare frame rates. They run after the other programs: a page is slower the more the cores have to do. */
const QUIET = ['tests/browser/studio-large-folder.test.ts'];
/** Lets the files of a process share a browser. */
const CLOSING = fileURLToPath(new URL('tests/support/closing-environment.ts', import.meta.url));
/**
 * Most code of tests runs a few times. Optimizing it later, and collecting memory on the thread that works, takes a tenth less
 * CPU time. The tests that measure run as usual.
 */
const execArgv = ['--interrupt-budget=1000000', '--single-threaded-gc'];
const NOT_OURS = '**/node_modules/**';

const SEEDED = fileURLToPath(new URL('tests/support/seeded-fast-check.ts', import.meta.url));
/** Tests that import `fast-check` get it with a fixed seed. */
const seededFastCheck = {
  name: 'seeded-fast-check',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined) =>
    source === 'fast-check' && importer !== SEEDED ? SEEDED : undefined,
};
const FIELD_EDITOR = fileURLToPath(new URL('apps/studio/src/inspector/testing-editor.ts', import.meta.url));
/** Tests of the studio outside of a browser get a field in place of the code editor, which needs layout. */
const fieldEditor = {
  name: 'field-editor',
  enforce: 'pre' as const,
  resolveId: (source: string) => (source.endsWith('/code-editor.tsx') ? FIELD_EDITOR : undefined),
};

export default defineConfig({
  plugins: [seededFastCheck, fieldEditor],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE, exclude: [NOT_OURS] } },
      {
        extends: true,
        test: {
          name: 'programs',
          include: PROGRAMS,
          exclude: [NOT_OURS, ...QUIET],
          environment: CLOSING,
          isolate: false,
          execArgv,
        },
      },
      {
        extends: true,
        test: {
          name: 'quiet',
          include: QUIET,
          exclude: [NOT_OURS],
          environment: CLOSING,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'sharing', include: TESTS, exclude: [NOT_OURS, ...ALONE, ...PROGRAMS], isolate: false, execArgv },
      },
    ],
    // A dependency of the MCP clients and of the AI SDK has a `source` condition of its own, which only Vite can load.
    server: {
      deps: {
        inline: [
          /@modelcontextprotocol\/client/,
          /sdk\/dist\/esm\/client\/streamableHttp/,
          /eventsource-parser/,
          /node_modules\/(ai|@ai-sdk)\//,
        ],
      },
    },
    setupFiles: ['tests/support/patient-waits.ts'],
    globalSetup: ['tests/support/fresh-build.ts', 'tests/support/test-directories.ts'],
    // Keeps compiled modules in node_modules/.experimental-vitest-cache, by their content and this file. `npx vitest --clearCache`
    // removes them.
    experimental: { fsModuleCache: true },
    // Pages show times in the zone of the reader.
    env: { TZ: 'UTC' },
    pool: 'forks',
    // One more than the cores: many tests wait for processes and sockets.
    maxWorkers: availableParallelism() + 1,
    // They end what hangs. Tests on a busy machine take many times as long as on a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 50_000 } },
  },
});
