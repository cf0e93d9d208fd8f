import { spawn } from 'node:child_process';

/** A process that waits for an address to open in the browser. */
export interface PendingBrowser {
  open(url: string): void;
  cancel(): void;
}

/**
 * Starts the process that opens the browser. Call it before the second sandbox is active, which forbids starting programs. The
 * process reads the address from its standard input and ends when that closes.
 */
export function openBrowserWhenReady(): PendingBrowser {
  const opener = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[process.platform as string] ?? ['xdg-open'];
  const script = `
    let url = '';
    process.stdin.on('data', (part) => { url += part; }).on('end', () => {
      if (!/^https?:/.test(url)) return;
      const [command, ...args] = ${JSON.stringify(opener)};
      require('node:child_process').spawn(command, [...args, url], { detached: true, stdio: 'ignore' }).on('error', () => {}).unref();
    });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.on('error', () => {});
  child.unref();
  return {
    open: (url) => child.stdin.end(url),
    cancel: () => child.stdin.end(),
  };
}
