// A real MCP client over stdio, against the installed package in an empty home.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { runAgentSession, runPersonSession } from './agent-session.mjs';
import { croft, installCroft, makeStage } from './installed-croft.mjs';
import { createTranscript } from './transcript.mjs';

const stage = makeStage();
const transcript = createTranscript('stdio-session', {
  [stage.project]: '~/project',
  [stage.home]: '~',
  [stage.base]: '/…',
});
try {
  const bin = installCroft(stage);
  const before = ['workspace/src/resolve/settle.ts', 'mcp/README.md'].map((path) => [
    path,
    readFileSync(join(stage.project, path), 'utf8'),
  ]);
  transcript.say('$ croft mcp ~/project');
  const client = new Client({ name: 'example-agent', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp', stage.project], env: stage.env }),
  );
  await runAgentSession(client, stage.project, transcript.say);
  await client.close();
  runPersonSession((args) => croft(bin, args, stage), stage.project, before, transcript.say);
  transcript.keep();
} finally {
  stage.remove();
}
