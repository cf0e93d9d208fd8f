// Programs that an example starts.

/** Waits until the output of a program matches a pattern, and returns the output. */
export function untilPrinted(child, pattern) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
      if (pattern.test(text)) resolve(text);
    });
    child.on('exit', (code) => reject(new Error(`it ended with ${code} after printing: ${text}`)));
  });
}

/** Ends a program. */
export function stop(child) {
  if (child.exitCode !== null) return undefined;
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      child.once('exit', resolve);
      child.kill('SIGKILL');
    }, 20_000);
    // npx exits before the program that it started. The pipes of both are closed when no process is left.
    child.once('close', () => resolve(clearTimeout(force)));
    child.kill('SIGTERM');
  });
}
