import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLog, startServer } from '@croft/server';
import { loadConfig } from '@croft/server/config';
import { createServer } from 'vite';
import { buildThreads } from '../../../scripts/prepare.mjs';
import { sampleFiles } from './sample-files.ts';

/** Paths that the server answers. Vite answers all others with the studio's sources. */
const SERVER_PATHS = '^/(api|instance-ai|mcp|dl|open|healthz|readyz)(/|[?]|$)';

const { values: flags } = parseArgs({ options: { port: { type: 'string', default: '5173' } } });
const baseDir = mkdtempSync(join(tmpdir(), 'croft-dev-'));
const cleanUp: (() => Promise<void>)[] = [];
let ending: Promise<void> | undefined;

/** Ends Vite and the server, and deletes their directory. */
function end(): Promise<void> {
  ending ??= (async () => {
    for (const close of cleanUp.toReversed()) await close();
    rmSync(baseDir, { recursive: true, force: true, maxRetries: 5 });
  })();
  return ending;
}

/** Starts the server on an empty directory and uploads the sample files. */
async function startSeededServer() {
  const { values } = await loadConfig({ baseDir }, { env: {} });
  const running = await startServer({
    settings: { ...values, baseDir, port: 0, autoLogin: true },
    version: '0.0.0-dev',
    log: createLog('warn'),
    forTests: { checksResponses: true },
  });
  cleanUp.push(() => running.close());
  await running.ready;
  const url = `http://${running.boundTo}`;
  const Authorization = `Bearer ${readFileSync(join(baseDir, 'mcp-token'), 'utf8').trim()}`;
  for (const [path, content] of Object.entries(sampleFiles())) {
    const query = new URLSearchParams({ path });
    const response = await fetch(`${url}/api/v1/files/content?${query}`, {
      method: 'PUT',
      headers: { Authorization },
      body: content as string,
    });
    if (!response.ok) throw new Error(`The server did not take ${path}: ${response.status} ${await response.text()}`);
  }
  return { url, opened: new URL(running.oneTimeUrl ?? url) };
}

/** Serves the sources of the studio, with hot reload, and passes the server's paths on to it. */
async function startVite(target: string): Promise<string> {
  const vite = await createServer({
    configFile: join(import.meta.dirname, '../vite.config.mjs'),
    logLevel: 'warn',
    server: {
      host: '127.0.0.1',
      port: Number(flags.port),
      proxy: {
        [SERVER_PATHS]: {
          target,
          changeOrigin: true,
          // The server accepts changes only from pages of its own origin.
          configure: (proxy) =>
            proxy.on('proxyReq', (request) => {
              if (request.hasHeader('origin')) request.setHeader('origin', target);
            }),
        },
      },
    },
  });
  cleanUp.push(() => vite.close());
  await vite.listen();
  const [address] = vite.resolvedUrls?.local ?? [];
  if (address === undefined) throw new Error('Vite does not listen.');
  return new URL(address).origin;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end().then(() => process.exit(0)));
try {
  buildThreads();
  const { url, opened } = await startSeededServer();
  const page = await startVite(url);
  process.stdout.write(
    `Open ${page}${opened.pathname}${opened.search} (works once). Files are in ${baseDir} until Ctrl+C.\n`,
  );
} catch (error) {
  await end();
  throw error;
}
