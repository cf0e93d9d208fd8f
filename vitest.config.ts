import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Tests run the sources of every package. Search threads and the command line run built output, which
// tests/support/fresh-build.ts builds when it is stale.
const conditions = ['source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
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
    globalSetup: 'tests/support/fresh-build.ts',
    pool: 'forks',
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
