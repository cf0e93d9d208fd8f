import type { AnyTool, ToolResult } from '@croft/tools';
import { z } from 'zod';
import { NotSignedIn, type ServerLink, ServerFailed } from './server-link.ts';

const listedTool = z.object({
  name: z.string(),
  title: z.string().default(''),
  description: z.string().default(''),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z
    .object({
      readOnlyHint: z.boolean().default(false),
      destructiveHint: z.boolean().default(true),
      idempotentHint: z.boolean().default(false),
      openWorldHint: z.boolean().default(true),
    })
    .prefault({}),
});

const called = z.object({
  isError: z.boolean().default(false),
  content: z.array(z.object({ text: z.string().optional() })).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});

/** The tools of the server, each of which is called there. @throws NotSignedIn, ServerFailed */
export async function remoteFlowTools(link: ServerLink): Promise<AnyTool[]> {
  const { tools } = z.object({ tools: z.array(listedTool) }).parse(await link.request('tools/list', {}));
  return tools.map(
    ({ name, title, description, inputSchema, outputSchema, annotations }): AnyTool => ({
      name,
      title: title === '' ? name : title,
      description,
      tags: [name],
      // Listed as the server lists it, and checked there.
      input: z.looseObject({}).meta(inputSchema),
      ...(outputSchema && { output: z.looseObject({}).meta(outputSchema), structured: true }),
      annotations,
      run: (input: Readonly<Record<string, unknown>>, { signal }) => callThere(link, name, input, signal),
    }),
  );
}

async function callThere(
  link: ServerLink,
  name: string,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  try {
    const result = called.parse(await link.request('tools/call', { name, arguments: input }, signal));
    const text = result.content.map((each) => each.text ?? '').join('\n');
    return { ok: !result.isError, data: result.structuredContent ?? { error: text }, text };
  } catch (error) {
    if (!(error instanceof NotSignedIn || error instanceof ServerFailed)) throw error;
    return { ok: false, data: { error: error.message } };
  }
}
