// The tools that the conformance suite calls by name, served by @croft/mcp. Only for the suite. Prints its address and ends with
// its input.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createHttpEndpoint, createServerFactory } from '@croft/mcp';
import { READS } from '@croft/tools';

// Dependencies of the packages under test, not of the root.
const load = async (from, name) =>
  import(pathToFileURL(createRequire(new URL(from, import.meta.url)).resolve(name)).href);
const { z } = await load('../../packages/mcp/package.json', 'zod');
const { getRequestListener } = await load('../../apps/server/package.json', '@hono/node-server');

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = Buffer.concat([
  Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0'),
  Buffer.from([0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0, 16, 0]),
  Buffer.from('data\0\0\0\0'),
]).toString('base64');

const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const resource = {
  type: 'resource',
  uri: 'test://embedded-resource',
  data: Buffer.from('An embedded resource.').toString('base64'),
  mimeType: 'text/plain',
};

function tool(name, description, run, input = z.object({})) {
  return { name, title: name, description, tags: [name], input, annotations: READS, run };
}

const withMedia = (text, ...media) => ({ ok: true, data: {}, text, media });

const addressTool = z
  .object({
    name: z.string().optional(),
    address: z.object({ street: z.string().optional(), city: z.string().optional() }).optional(),
  })
  .strict()
  .meta({
    $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  });

const tools = [
  tool('test_simple_text', 'Returns a text.', () => ({
    ok: true,
    data: {},
    text: 'This is a simple text response for testing.',
  })),
  tool('test_error_handling', 'Always fails.', () => ({
    ok: false,
    data: { error: 'This tool intentionally returns an error for testing' },
    text: 'This tool intentionally returns an error for testing',
  })),
  tool('test_image_content', 'Returns an image.', () => withMedia('An image:', image)),
  tool('test_audio_content', 'Returns audio.', () =>
    withMedia('A sound:', { type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  ),
  tool('test_embedded_resource', 'Returns a resource.', () => withMedia('A resource:', resource)),
  tool('test_multiple_content_types', 'Returns a text, an image and a resource.', () =>
    withMedia('Multiple content types test:', image, resource),
  ),
  tool('test_tool_with_progress', 'Reports progress.', async (_input, { onProgress }) => {
    for (const seen of [0, 50, 100]) {
      onProgress?.(seen);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { ok: true, data: {}, text: 'Done.' };
  }),
  tool(
    'json_schema_2020_12_tool',
    'Has a schema with references.',
    () => ({ ok: true, data: {}, text: 'ok' }),
    addressTool,
  ),
];

const endpoint = createHttpEndpoint(
  createServerFactory({ name: 'croft-conformance', version: '1' }, () => ({ tools })),
);
const server = createServer(getRequestListener((request) => endpoint.fetch(request)));
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`));
process.stdin.resume().on('end', () => process.exit());
