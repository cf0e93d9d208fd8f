import { basename } from 'node:path';
import { z } from 'zod';
import { jsonBytes } from '../fit-result.ts';
import { READS, type Tool, ToolError } from '../tool.ts';
import { type FileToolkit, workspaceOf } from './toolkit.ts';

const input = z.strictObject({
  path: z.string().describe('Image, audio file or PDF, relative to the workspace root.'),
});

/** Kinds of files, recognised by their first bytes and never by name. */
const KINDS: readonly { mimeType: string; matches: (bytes: Buffer) => boolean }[] = [
  { mimeType: 'image/png', matches: (b) => starts(b, '\x89PNG\r\n\x1a\n') },
  { mimeType: 'image/jpeg', matches: (b) => starts(b, '\xff\xd8\xff') },
  { mimeType: 'image/gif', matches: (b) => starts(b, 'GIF87a') || starts(b, 'GIF89a') },
  { mimeType: 'image/webp', matches: (b) => starts(b, 'RIFF') && starts(b, 'WEBP', 8) },
  { mimeType: 'image/bmp', matches: (b) => starts(b, 'BM') && b.length > 26 && b.readUInt32LE(2) === b.length },
  { mimeType: 'audio/wav', matches: (b) => starts(b, 'RIFF') && starts(b, 'WAVE', 8) },
  { mimeType: 'audio/mpeg', matches: (b) => starts(b, 'ID3') || (b[0] === 0xff && ((b[1] ?? 0) & 0xe6) === 0xe2) },
  { mimeType: 'audio/ogg', matches: (b) => starts(b, 'OggS') },
  { mimeType: 'audio/flac', matches: (b) => starts(b, 'fLaC') },
  { mimeType: 'audio/mp4', matches: (b) => starts(b, 'ftypM4A', 4) },
  { mimeType: 'application/pdf', matches: (b) => starts(b, '%PDF-') },
];

/** Reads an image, audio file or PDF as MCP content. */
export function readMediaTool(kit: FileToolkit): Tool<z.infer<typeof input>> {
  return {
    name: 'read_media',
    title: 'Read image, audio or PDF',
    description:
      'Read an image (PNG, JPEG, GIF, WebP, BMP), audio file (WAV, MP3, Ogg, FLAC, M4A) or PDF so that it can be looked at or listened to.',
    tags: ['read_media'],
    input,
    annotations: READS,
    async run({ path }, context) {
      const workspace = workspaceOf(kit);
      // Base64 has four characters for three bytes; the complete result must stay below its limit.
      const maxBytes = Math.floor(((workspace.limits.maxResultBytes - 4_096 - 3 * jsonBytes(path)) / 4) * 3);
      const { bytes, version } = await workspace.readBytes(path, { maxBytes, signal: context.signal });
      const kind = KINDS.find((candidate) => candidate.matches(bytes));
      if (!kind)
        throw new ToolError('invalid_arguments', `Not an image, audio file or PDF: ${path}. Use read_file for text.`);
      const data = bytes.toString('base64');
      const { mimeType } = kind;
      const media =
        mimeType === 'application/pdf'
          ? {
              type: 'resource' as const,
              uri: `workspace:///${encodeURI(Buffer.from(path).toString())}`,
              data,
              mimeType,
            }
          : { type: mimeType.startsWith('image/') ? ('image' as const) : ('audio' as const), data, mimeType };
      return {
        ok: true,
        bytes: bytes.length,
        media: [media],
        data: { status: 'ok', path, name: basename(path), mime_type: mimeType, bytes: bytes.length, version },
      };
    },
    paths: (given) => [given.path],
  };
}

function starts(bytes: Buffer, magic: string, at = 0): boolean {
  return bytes.length >= at + magic.length && bytes.toString('latin1', at, at + magic.length) === magic;
}
