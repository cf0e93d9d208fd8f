/** How soon a command notices that npx is gone. */
const CHECK_MS = 500;

/**
 * Ends this process by SIGTERM when npx ends before it. npx runs a command in a shell and passes signals only to that
 * shell, so a supervisor that stops npx would leave the command running, for example one that shares a directory.
 * Does nothing for a command that does not run from npx's cache.
 */
export function endWithNpx(): void {
  if (!/[/\\]_npx[/\\]/.test(process.argv[1] ?? '')) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, CHECK_MS);
  timer.unref();
}
