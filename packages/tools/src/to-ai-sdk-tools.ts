import type { z } from 'zod';
import { callTool, type ToolTable } from './call-tool.ts';
import type { AnyTool, MediaContent, ToolResult } from './tool.ts';

/** The output of a tool: what the model reads, and binary content beside it. */
export interface AiSdkOutput {
  readonly ok: boolean;
  readonly text: string;
  readonly media: readonly MediaContent[];
}

type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file-data'; readonly data: string; readonly mediaType: string };

/** A tool as the AI SDK takes it (`ai` 6). */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: z.ZodType;
  execute(input: unknown, options: { readonly abortSignal?: AbortSignal | undefined }): Promise<AiSdkOutput>;
  toModelOutput(given: {
    readonly output: AiSdkOutput;
  }):
    | { readonly type: 'text' | 'error-text'; readonly value: string }
    | { readonly type: 'content'; readonly value: ModelPart[] };
}

/**
 * The tools of a table for `generateText` and `streamText` of the AI SDK. A call goes through `callTool`: it never throws, and
 * a failure is an output that the model reads. Does not import the SDK.
 */
export function toAiSdkTools(table: ToolTable): Record<string, AiSdkTool> {
  return Object.fromEntries(table.tools.map((tool) => [tool.name, toTool(table, tool)]));
}

function toTool(table: ToolTable, { name, description, input: inputSchema }: AnyTool): AiSdkTool {
  return {
    description,
    inputSchema,
    execute: async (input, { abortSignal }) =>
      toOutput(await callTool(table, { name, input }, { signal: abortSignal })),
    toModelOutput({ output: { ok, text, media } }) {
      if (!ok) return { type: 'error-text', value: text };
      if (media.length === 0) return { type: 'text', value: text };
      const files = media.map(({ data, mimeType }) => ({ type: 'file-data' as const, data, mediaType: mimeType }));
      return { type: 'content', value: [{ type: 'text', text }, ...files] };
    },
  };
}

function toOutput({ ok, text, data, media = [] }: ToolResult): AiSdkOutput {
  return { ok, text: text ?? JSON.stringify(data), media };
}
