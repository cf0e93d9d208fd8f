/**
 * The folders whose tests `npm run mutate` checks.
 *
 * - `tests`: the test files that may kill a mutant. They run in threads of one process.
 * - `share`: the part of the mutants that is tested. A hash of the mutant's place and text chooses, so each run tests the same ones.
 * - `floor`: the lowest accepted score in percent: that of docs/results/mutation.md less two points for timeouts.
 */
export const FOLDERS = [
  {
    name: 'resolve',
    mutate: ['packages/workspace/src/resolve/**/*.ts'],
    tests: ['packages/workspace/src/**/*.test.ts'],
    // They test searches or processes of their own, or change the directory of the process, which threads cannot.
    not: [
      'packages/workspace/src/search/**',
      'packages/workspace/src/{bad-input,crash,mounted-search,namespace,visit-tree,wall}.test.ts',
      'packages/workspace/src/operations/{bulk,lost-updates}.test.ts',
    ],
    share: 0.04,
    floor: 69,
  },
  {
    name: 'edge',
    mutate: ['apps/server/src/edge/**/*.ts'],
    tests: ['apps/server/src/edge/**/*.test.ts'],
    not: [],
    share: 0.5,
    floor: 85,
  },
  {
    name: 'judge',
    // Without the readers of shell commands: their table of programs alone gives as many mutants as the other files.
    mutate: ['packages/guard/src/judge/**/*.ts', '!packages/guard/src/judge/extract/shell/**'],
    tests: [
      'packages/guard/src/judge/**/*.test.ts',
      'packages/guard/src/*.test.ts',
      'tests/guard/{judge,paths}.test.ts',
    ],
    not: [],
    share: 0.04,
    floor: 82,
  },
  {
    name: 'hub',
    mutate: ['packages/gateway/src/hub/**/*.ts', '!packages/gateway/src/hub/{testing,test-hub}.ts'],
    tests: ['packages/gateway/src/**/*.test.ts'],
    not: [],
    share: 0.02,
    floor: 87,
  },
  {
    name: 'flow',
    mutate: ['packages/flow/src/**/*.ts'],
    tests: ['packages/flow/src/**/*.test.ts', 'packages/components/src/import-langflow.test.ts'],
    not: [],
    share: 0.04,
    floor: 87,
  },
  {
    name: 'assistant',
    mutate: ['packages/assistant/src/**/*.ts'],
    tests: ['packages/assistant/src/**/*.test.ts'],
    not: [],
    share: 0.04,
    floor: 85,
  },
];
