import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StdioClient, textOf } from './client.mjs';
import { barePackage, peerPackage } from './peers.mjs';

const CROFT = fileURLToPath(new URL('../../apps/cli/dist/croft.cjs', import.meta.url));

/**
 * A server under measurement: how to start it on a directory and how its tools are called. Official servers take
 * absolute paths, Croft and the bare one relative ones.
 *
 * @typedef {object} Server
 * @property {string} name
 * @property {string} version
 * @property {(dir: string) => string[]} command
 * @property {(dir: string, path: string) => [string, object]} read
 * @property {(dir: string, path: string, content: string) => [string, object]} write
 * @property {(dir: string, path: string, from: string, to: string) => [string, object]} edit
 */

const relativeTools = {
  read: (_dir, path) => ['read_file', { path }],
  write: (_dir, path, content) => ['write_file', { path, content }],
  edit: (_dir, path, from, to) => ['edit_file', { path, old_string: from, new_string: to }],
};

/**
 * @param {string} [file] another build's bundle, to compare two builds
 * @returns {Server}
 */
export function croftServer(file = CROFT) {
  if (!existsSync(file)) throw new Error(`there is no ${file}: run npm run build first`);
  const bundle = readFileSync(file);
  const version = JSON.parse(readFileSync(new URL('../../apps/cli/package.json', import.meta.url), 'utf8')).version;
  return {
    name: 'croft',
    version: `${version} (bundle ${createHash('sha256').update(bundle).digest('hex').slice(0, 12)}, ${bundle.length} bytes)`,
    command: (dir) => [process.execPath, file, 'mcp', dir],
    ...relativeTools,
  };
}

/** @returns {Server} */
export function bareServer() {
  const { version, entry } = barePackage();
  return {
    name: 'bare',
    version,
    command: (dir) => [process.execPath, entry, dir],
    ...relativeTools,
  };
}

/** @returns {Server[]} the official servers, newest installable first */
export function officialServers() {
  return ['official-2.0.1', 'official-2026.8.31'].map((alias) => {
    const { version, entry, name } = peerPackage(alias);
    if (alias !== `official-${version}`) throw new Error(`${alias} holds ${name} ${version}: reinstall bench/peers`);
    return {
      name: alias,
      version: `${name} ${version}`,
      command: (dir) => [process.execPath, entry, dir],
      read: (dir, path) => ['read_text_file', { path: join(dir, path) }],
      write: (dir, path, content) => ['write_file', { path: join(dir, path), content }],
      edit: (dir, path, from, to) => ['edit_file', { path: join(dir, path), edits: [{ oldText: from, newText: to }] }],
    };
  });
}

/**
 * Starts servers on a directory, hands over their open sessions and ends them all, whatever happens.
 *
 * @param {Server[]} servers
 * @param {{dir: string, env: Record<string, string>}} where
 * @param {(sessions: {server: Server, client: StdioClient}[]) => Promise<T>} use
 * @returns {Promise<T>}
 * @template T
 */
export async function withServers(servers, where, use) {
  const sessions = servers.map((server) => ({
    server,
    client: new StdioClient(server.command(where.dir), { cwd: where.dir, env: where.env }),
  }));
  try {
    for (const { client } of sessions) await client.initialize();
    return await use(sessions);
  } finally {
    await Promise.all(sessions.map(({ client }) => client.close()));
  }
}

/** Calls a tool and gives its text; refusals are thrown. */
export async function callText(client, [tool, args]) {
  return textOf(await client.call(tool, args));
}
