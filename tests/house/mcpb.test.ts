import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import JSZip from 'jszip';
import { expect, it } from 'vitest';
import { fileDir } from '../support/temp-dir.ts';
import { packMcpb } from '../../scripts/pack-mcpb.mjs';

const dir = fileDir();

interface McpbManifest {
  readonly manifest_version: string;
  readonly version: string;
  readonly server: { readonly entry_point: string; readonly mcp_config: { readonly args: readonly string[] } };
  readonly user_config: Readonly<Record<string, { readonly type: string; readonly required: boolean }>>;
}

it('the bundle starts croft mcp on the directory that its user chooses', async () => {
  const zip = await JSZip.loadAsync(readFileSync(await packMcpb(dir)));
  const manifest = JSON.parse((await zip.file('manifest.json')?.async('string')) ?? '{}') as McpbManifest;
  const { entry_point, mcp_config } = manifest.server;
  expect(manifest).toMatchObject({
    manifest_version: '0.3',
    name: 'croft',
    user_config: { directory: { type: 'directory', required: true } },
  });
  expect(mcp_config.args).toEqual([`\${__dirname}/${entry_point}`, 'mcp', '${user_config.directory}']);
  for (const [name, entry] of Object.entries(zip.files)) {
    if (entry.dir) continue;
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), await entry.async('nodebuffer'));
  }
  const chosen = join(dir, 'chosen');
  mkdirSync(chosen);
  writeFileSync(join(chosen, 'a.txt'), 'hello');
  const args = mcp_config.args.map((text) =>
    text.replace('${__dirname}', dir).replace('${user_config.directory}', chosen),
  );
  const ask = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const version = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const input = [
    ask(1, 'initialize', version),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    ask(2, 'tools/call', { name: 'read_file', arguments: { path: 'a.txt' } }),
  ];
  const env = { PATH: process.env['PATH'], HOME: dir, CROFT_BASE_DIR: join(dir, 'base') };
  const output = execFileSync(process.execPath, args, { input: `${input.join('\n')}\n`, encoding: 'utf8', env });
  expect(output).toContain('hello');
});
