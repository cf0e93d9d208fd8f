import { spawn } from 'node:child_process';

/** A browser that is about to be opened. */
export interface PendingBrowser {
  open(url: string): void;
  cancel(): void;
}

/**
 * Starts the process that will open the browser before the second wall stands, because behind it nothing may be
 * started any more. It waits for the address on its standard input and is gone when that closes.
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
