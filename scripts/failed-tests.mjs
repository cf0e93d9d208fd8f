// The names of failed tests, which npm test repeats at its end: a run prints thousands of lines before.

/** The failed tests of a report of vitest (its JSON reporter), one line each: the path of the file, then the test. */
export function failedTests(report, root) {
  return report.testResults.flatMap(({ name, assertionResults, status }) => {
    const file = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
    const failed = assertionResults.filter((result) => result.status === 'failed');
    // A file that cannot be loaded has no tests to fail.
    if (failed.length === 0) return status === 'failed' ? [file] : [];
    return failed.map(({ fullName }) => `${file} > ${fullName}`);
  });
}
