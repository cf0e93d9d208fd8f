/**
 * The baseline: the same SDK as Croft's, minimal tools, no checks. It serves any path. The difference to Croft is the
 * cost of confinement. Use it only for measuring.
 *
 * Usage: node server.mjs DIR
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const dir = process.argv[2] ?? '.';
const text = (value) => ({ content: [{ type: 'text', text: value }] });

serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool(
    'read_file',
    { description: 'Reads a file.', inputSchema: z.object({ path: z.string() }) },
    ({ path }) => text(readFileSync(join(dir, path), 'utf8')),
  );
  server.registerTool(
    'write_file',
    { description: 'Writes a file.', inputSchema: z.object({ path: z.string(), content: z.string() }) },
    ({ path, content }) => {
      writeFileSync(join(dir, path), content);
      return text('written');
    },
  );
  server.registerTool(
    'edit_file',
    {
      description: 'Replaces the first occurrence of a text.',
      inputSchema: z.object({ path: z.string(), old_string: z.string(), new_string: z.string() }),
    },
    ({ path, old_string, new_string }) => {
      writeFileSync(
        join(dir, path),
        readFileSync(join(dir, path), 'utf8').replace(old_string, () => new_string),
      );
      return text('edited');
    },
  );
  return server;
});
