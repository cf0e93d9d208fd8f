import { z } from 'zod';
import { callTool, type ToolTable } from './call-tool.ts';
import type { AnyTool } from './tool.ts';

/** A tool as the `openai` package takes it: for `chat.completions.create`, and with its function for `runTools`. */
export interface OpenAiTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    /** Parses the arguments of a call. Arguments that are not JSON become a text, which the tool refuses in words. */
    parse(text: string): unknown;
    /** Runs a call; gives the text for the model. Never throws. */
    function(input: unknown): Promise<string>;
  };
}

/**
 * The tools of a table for OpenAI's chat API. `runTools` of the `openai` package runs them; with `create`, pass the arguments of
 * each call to `parse` and `function` yourself. Texts only: the API takes no media in the result of a tool. Does not import the
 * package.
 */
export function toOpenAiTools(table: ToolTable): OpenAiTool[] {
  return table.tools.map((tool) => ({
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      parameters: parametersOf(tool),
      parse: parseArguments,
      async function(input) {
        const { text, data, media = [] } = await callTool(table, { name: tool.name, input });
        const shown = text ?? JSON.stringify(data);
        return media.length === 0 ? shown : `${shown}\n(${media.length} attachments are not shown)`;
      },
    },
  }));
}

function parametersOf(tool: AnyTool): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: 'input' });
  return schema;
}

function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
