import { beforeEach } from 'vitest';

/** Names of tests, or of their groups, that measure time: code with mutants in it is several times slower. */
const TIMED = /\b(times?|cost|linear|fast|quickly|milliseconds|seconds?|ms|fraction)\b/;

interface Named {
  readonly name: string;
  readonly suite?: Named | undefined;
}

const isTimed = ({ name, suite }: Named): boolean => TIMED.test(name) || (suite !== undefined && isTimed(suite));

beforeEach(({ task, skip }) => {
  if (isTimed(task)) skip();
});
