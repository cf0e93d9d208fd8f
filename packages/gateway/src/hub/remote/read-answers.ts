import { cutText, jsonBytes, type MediaContent, type ToolResult } from '@croft/tools';
import { DEFAULT_LIMITS } from '@croft/workspace';
import { z } from 'zod';
import type { ContentBlock, ResponseFrame } from '../../response-frame.ts';
import { checkMedia } from './check-media.ts';
import { hideHostPaths } from './hide-host-paths.ts';
import { quoteUntrusted } from './untrusted.ts';

// Checks a machine's responses: the machine runs untrusted software.

const count = z.number().int().nonnegative();
const MAX_LINE_CHARS = 500;
const MAX_RESULT_BYTES = DEFAULT_LIMITS.maxResultBytes;

const readAnswer = z.object({
  content: z.string(),
  truncated: z.boolean().default(false),
  totalLines: count.default(0),
});
/** More than any valid result has. Items beyond it are dropped unread, so that a very long list costs nothing. */
const MAX_ITEMS = 1_001;
const someOf = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : value), z.array(item));

const searchAnswer = z.object({
  matches: someOf(z.object({ path: z.string().max(4_096), lineNumber: count, line: z.string().optional() })),
  truncated: z.boolean().default(false),
  totalMatches: count.optional(),
});
const treeAnswer = z.object({ tree: z.string(), truncated: z.boolean().default(false) });
const listAnswer = z.object({
  files: someOf(
    z.object({ path: z.string().max(4_096), type: z.enum(['file', 'directory']), sizeBytes: count.optional() }),
  ),
  truncated: z.boolean().default(false),
  totalCount: count.optional(),
});

/** The call to which a response belongs. */
export interface AnsweredCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly rootPath: string;
}

const INVALID = 'The response of the connected machine is not a result of this tool';

/** Reads a response to a call of `explore`, in the same shape and limits as the local tool of that name. */
export function readExploreAnswer(call: AnsweredCall, answer: ResponseFrame): ToolResult {
  const failed = errorOf(answer);
  if (failed !== undefined) return failure(call, failed);
  const data = shape(call, dataOf(answer));
  return data ? { ok: true, data } : { ok: false, data: { error: INVALID } };
}

/** Reads a response to a call of an announced tool: quoted as untrusted for a model, bounded, with its media. */
export function readAnnouncedAnswer(call: AnsweredCall, answer: ResponseFrame): ToolResult {
  const failed = errorOf(answer);
  if (failed !== undefined) {
    const { data } = failure(call, failed);
    return { ok: false, data, text: quoteUntrusted(call.name, String(data.error)) };
  }
  const blocks = answer.result?.content ?? [];
  const structured = answer.result?.structuredContent ?? recordOf(answer.data);
  const plain = typeof answer.data === 'string' ? answer.data : '';
  const said = answer.result ? textOf(blocks) : (answer.text ?? plain);
  const { kept: media, dropped } = checkMedia([...(answer.media ?? []), ...blocks.flatMap(toMedia)] as MediaContent[]);
  const shown = [said !== '' ? said : JSON.stringify(structured ?? {}), ...(dropped > 0 ? [leftOut(dropped)] : [])];
  const text = cutText(shown.join('\n'), MAX_RESULT_BYTES);
  const fits = structured && Buffer.byteLength(JSON.stringify(structured)) <= MAX_RESULT_BYTES;
  return {
    ok: true,
    data: fits ? structured : { content: text },
    text: quoteUntrusted(call.name, text),
    ...(media.length > 0 && { media }),
  };
}

function leftOut(count: number): string {
  return `(${count === 1 ? '1 attachment was' : `${count} attachments were`} left out: not valid base64 of an image, sound or file)`;
}

/** The error message of the machine, with host paths; `undefined` for a success. */
export function errorOf({ error, result, data }: ResponseFrame): string | undefined {
  if (error !== undefined) return error;
  if (!result?.isError) return undefined;
  const structured = result.structuredContent?.error ?? recordOf(data)?.error;
  if (typeof structured === 'string') return structured;
  const text = textOf(result.content);
  const parsed = recordOf(parseJson(text))?.error;
  return typeof parsed === 'string' ? parsed : text || 'The call failed on the connected machine';
}

function failure(call: AnsweredCall, error: string): ToolResult {
  return { ok: false, data: { error: hideHostPaths(error, call.rootPath, call.input) } };
}

/** The envelope, in any form that a client may use. */
function dataOf(answer: ResponseFrame): unknown {
  return answer.data ?? answer.result?.structuredContent ?? parseJson(textOf(answer.result?.content ?? []));
}

function shape({ name, input }: AnsweredCall, data: unknown): Record<string, unknown> | undefined {
  switch (name) {
    case 'read-file': {
      const read = readAnswer.safeParse(data).data;
      if (!read) return undefined;
      const lines = read.content.split('\n');
      const shown = lines.slice(0, Number(input.maxLines)).join('\n');
      const content = cutText(shown, MAX_RESULT_BYTES - 4_096 - jsonBytes(String(input.filePath)));
      const truncated = read.truncated || content !== read.content;
      return { path: input.filePath, content, truncated, totalLines: read.totalLines };
    }
    case 'search-files': {
      const found = searchAnswer.safeParse(data).data;
      if (!found) return undefined;
      const matches = found.matches
        .slice(0, Number(input.maxResults))
        .map(({ path, lineNumber, line }) => ({ path, lineNumber, line: (line ?? '').slice(0, MAX_LINE_CHARS) }));
      const truncated = found.truncated || matches.length < found.matches.length;
      const totalMatches = Math.max(matches.length, found.totalMatches ?? 0);
      return { query: input.query, matches, truncated, totalMatches };
    }
    case 'get-file-tree': {
      const drawn = treeAnswer.safeParse(data).data;
      if (!drawn) return undefined;
      const tree = cutText(drawn.tree, MAX_RESULT_BYTES - 4_096);
      return { tree, truncated: drawn.truncated || tree !== drawn.tree };
    }
    case 'list-files': {
      const listed = listAnswer.safeParse(data).data;
      if (!listed) return undefined;
      const files = listed.files.slice(0, Number(input.maxResults));
      const truncated = listed.truncated || files.length < listed.files.length;
      return { files, truncated, totalCount: Math.max(files.length, listed.totalCount ?? 0) };
    }
    default:
      return undefined;
  }
}

function textOf(blocks: readonly ContentBlock[]): string {
  const texts = blocks.flatMap((block) => {
    if (block.type === 'text' && typeof block.text === 'string') return [block.text];
    const resource = block.type === 'resource' ? (block.resource as { text?: unknown }) : undefined;
    return typeof resource?.text === 'string' ? [resource.text] : [];
  });
  return texts.join('\n');
}

function toMedia(block: ContentBlock): MediaContent[] {
  if ((block.type === 'image' || block.type === 'audio') && isMedia(block))
    return [{ type: block.type, data: block.data, mimeType: block.mimeType }];
  const resource = block.type === 'resource' ? (block.resource as Record<string, unknown>) : undefined;
  if (typeof resource?.blob !== 'string') return [];
  const mimeType = typeof resource.mimeType === 'string' ? resource.mimeType : 'application/octet-stream';
  return [
    { type: 'resource', uri: typeof resource.uri === 'string' ? resource.uri : '', data: resource.blob, mimeType },
  ];
}

function isMedia(block: object): block is { data: string; mimeType: string } {
  const { data, mimeType } = block as { data?: unknown; mimeType?: unknown };
  return typeof data === 'string' && typeof mimeType === 'string';
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
