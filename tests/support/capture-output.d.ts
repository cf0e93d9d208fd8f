/** For tests: what this process writes to standard output and error until the running test ends. Restores its exit code too. */
export declare function captureOutput(): {
  out: string;
  err: string;
};
//# sourceMappingURL=capture-output.d.ts.map
