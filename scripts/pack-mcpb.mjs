// Makes `croft.mcpb`: the `croft` command as a bundle that clients of MCPB (Claude Desktop) install with a double click. They ask
// for the directory and start the program with their own Node. `node scripts/pack-mcpb.mjs DIR` leaves it in DIR.
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import JSZip from 'jszip';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'apps/cli');

/** The manifest: github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md, version 0.3. */
export function mcpbManifest({ version, description, license, keywords }) {
  return {
    manifest_version: '0.3',
    name: 'croft',
    display_name: 'Croft',
    version,
    description,
    author: { name: 'The Croft authors' },
    license,
    keywords,
    server: {
      type: 'node',
      entry_point: 'server/dist/croft.cjs',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/server/dist/croft.cjs', 'mcp', '${user_config.directory}'],
        env: {},
      },
    },
    tools_generated: true,
    user_config: {
      directory: {
        type: 'directory',
        title: 'Directory',
        description: 'The agent can read and change the files in it, and cannot reach files outside.',
        required: true,
      },
    },
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: '>=20.19' } },
  };
}

/** Writes the bundle of what is built; gives its path. Without koffi, which is optional and binary. */
export async function packMcpb(destination) {
  const manifest = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8'));
  const zip = new JSZip();
  zip.file('manifest.json', `${JSON.stringify(mcpbManifest(manifest), null, 2)}\n`);
  const { name, version, type, license } = manifest;
  zip.file('server/package.json', `${JSON.stringify({ name, version, type, license }, null, 2)}\n`);
  for (const listed of manifest.files)
    for (const file of filesAt(listed)) zip.file(`server/${file}`, readFileSync(join(cli, file)));
  mkdirSync(destination, { recursive: true });
  const path = join(destination, 'croft.mcpb');
  writeFileSync(path, await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' }));
  return path;
}

function filesAt(name) {
  const stat = statSync(join(cli, name), { throwIfNoEntry: false });
  if (stat?.isDirectory()) return readdirSync(join(cli, name)).flatMap((child) => filesAt(`${name}/${child}`));
  return stat ? [name] : [];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const destination = process.argv[2];
  if (destination === undefined) {
    console.error('Say where the bundle goes: node scripts/pack-mcpb.mjs DIR');
    process.exit(2);
  }
  console.log(await packMcpb(destination));
}
