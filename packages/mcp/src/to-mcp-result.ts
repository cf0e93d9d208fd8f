import { type AnyTool, dataOfWholeFile, type MediaContent, type ToolResult } from '@croft/tools';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';

/**
 * Converts a tool's result to MCP. Sends no text twice, and every client's model gets everything: some clients forward only
 * `content`, others only `structuredContent`. So a long text (a file, matches, a diff) is content alone; a short record is
 * structured content, with one sentence of content that says the same, or the tool's own text where it has one.
 */
export function toMcpResult(tool: AnyTool | undefined, result: ToolResult): CallToolResult {
  if (!result.ok) return { content: [text(result.text ?? JSON.stringify(result.data))], isError: true };
  const media = result.media?.map(toMedia) ?? [];
  if (tool?.structured && tool.output && result.data.status !== 'confirmation_required') {
    const shown = result.text ?? sentence(result.data);
    return { content: [text(shown), ...media], structuredContent: { ...result.data } };
  }
  const { wholeFile } = result;
  const block = text(result.text ?? JSON.stringify(wholeFile ? dataOfWholeFile(wholeFile) : result.data));
  if (result.forModelOnly) block.annotations = { audience: ['assistant'] };
  return { content: [block, ...media] };
}

function text(value: string): Extract<ContentBlock, { type: 'text' }> {
  return { type: 'text', text: value };
}

function toMedia(media: MediaContent): ContentBlock {
  if (media.type !== 'resource') return { type: media.type, data: media.data, mimeType: media.mimeType };
  return { type: 'resource', resource: { uri: media.uri, mimeType: media.mimeType, blob: media.data } };
}

/** Renders a record as one sentence: `created notes.md (bytes_written 42, version 1a-2b-3c)`. */
function sentence(data: Readonly<Record<string, unknown>>): string {
  const { status, path, source, destination, ...rest } = data;
  const what = source === undefined ? plain(path) : `${plain(source)} → ${plain(destination)}`;
  const details = Object.entries(rest).map(([key, value]) => `${key} ${plain(value)}`);
  return `${plain(status)} ${what}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
