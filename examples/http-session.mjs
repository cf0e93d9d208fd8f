// `croft mcp --http`, then a real MCP client over HTTP, connected with the settings from its page.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { runAgentSession, runPersonSession } from './agent-session.mjs';
import { stop, untilPrinted } from './child.mjs';
import { croft, installCroft, makeStage } from './installed-croft.mjs';
import { createTranscript } from './transcript.mjs';

const stage = makeStage();
const transcript = createTranscript('http-session', {
  [stage.project]: '~/project',
  [stage.home]: '~',
  [stage.base]: '/…',
});
let server;
try {
  const bin = installCroft(stage);
  const before = ['workspace/src/resolve/settle.ts', 'mcp/README.md'].map((path) => [
    path,
    readFileSync(join(stage.project, path), 'utf8'),
  ]);
  transcript.say('$ croft mcp --http ~/project');
  server = spawn(process.execPath, [bin, 'mcp', '--http', stage.project, '--port', '0', '--no-open'], {
    cwd: stage.home,
    env: stage.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const banner = await untilPrinted(server, /Sandbox {2,}.*\n/);
  transcript.say(banner.trim());
  const oneTime = /http:\S+open\?code=\S+/.exec(banner)[0];

  const stranger = await fetch(new URL('/page', oneTime));
  assert.equal(stranger.status, 401);
  const key = /'croft',"([^"]+)"/.exec(await (await fetch(oneTime)).text())[1];
  const page = await (await fetch(new URL('/page', oneTime), { headers: { 'X-Croft-Key': key } })).text();
  const token = /Bearer (croft_[\w-]+)/.exec(page)[1];
  transcript.say(`page says: Authorization: Bearer ${token}`);

  const url = new URL('/mcp', oneTime);
  assert.equal(
    (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).status,
    401,
  );
  const client = new Client({ name: 'example-agent', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  );
  await runAgentSession(client, stage.project, transcript.say);
  await client.close();
  runPersonSession((args) => croft(bin, args, stage), stage.project, before, transcript.say);
  transcript.keep();
} finally {
  if (server) await stop(server);
  stage.remove();
}
