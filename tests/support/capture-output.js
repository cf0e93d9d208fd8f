import { onTestFinished, vi } from 'vitest';
/** For tests: what this process writes to standard output and error until the running test ends. Restores its exit code too. */
export function captureOutput() {
  const written = { out: '', err: '' };
  const code = process.exitCode;
  const spies = ['out', 'err'].map((name) =>
    vi.spyOn(process[`std${name}`], 'write').mockImplementation((part) => {
      written[name] += typeof part === 'string' ? part : Buffer.from(part).toString();
      return true;
    }),
  );
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = code;
  });
  return written;
}
//# sourceMappingURL=capture-output.js.map
