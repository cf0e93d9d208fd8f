import { beforeEach } from 'vitest';

/** Names of tests that measure time: code with mutants in it is several times slower. */
const TIMED = /\b(times?|linear|fast|quickly|milliseconds|seconds?|ms|fraction)\b/;

beforeEach(({ task, skip }) => {
  if (TIMED.test(task.name)) skip();
});
