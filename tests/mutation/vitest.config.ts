import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

const { plugins, resolve, ssr, test } = base;
const { tests, not } = JSON.parse(process.env['CROFT_MUTATION_TESTS'] ?? '{}') as { tests: string[]; not: string[] };

/** The tests of one folder in one project. `run.mjs` sets which. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: plugins ?? [],
  resolve: resolve ?? {},
  ssr: ssr ?? {},
  test: {
    include: tests,
    exclude: ['**/node_modules/**', ...not],
    // A cached module would keep the values that a mutant gave it when it was loaded.
    isolate: true,
    setupFiles: ['tests/mutation/skip-timed.ts'],
    ...(test?.server && { server: test.server }),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    ...(test?.expect && { expect: test.expect }),
  },
});
