import type { FlowTool, Json } from '@croft/flow';
import { type AnyTool, callTool } from '@croft/tools';
import { z } from 'zod';

/** A tool of a toolset as a tool of a flow. A failure is a text for the model, as over MCP. */
export function asFlowTool(tool: AnyTool, tools: readonly AnyTool[]): FlowTool {
  return {
    name: tool.name,
    description: tool.description,
    parameters: z.toJSONSchema(tool.input, { io: 'input' }) as { readonly [key: string]: Json },
    readOnly: tool.annotations.readOnlyHint,
    async call(args, signal) {
      const { text, data } = await callTool({ tools }, { name: tool.name, input: args }, { signal });
      return text ?? JSON.stringify(data);
    },
  };
}
