import { type AnyTool, type CallContext, ToolError, type ToolAnnotations, type ToolResult } from '@croft/tools';
import { z } from 'zod';
import { ForModel } from '../assistant/for-model.ts';
import { toProblem } from '../to-problem.ts';
import type { FlowDesk } from './flow-desk.ts';

/** A result as JSON. Its fields are a contract of the tool. */
export type FlowToolData = Readonly<Record<string, unknown>>;

/** One call of a tool: the caller's flows, and the connection. */
export interface FlowToolCall {
  readonly desk: FlowDesk;
  readonly signal: AbortSignal | undefined;
  readonly confirm: CallContext['confirm'];
  readonly onProgress: CallContext['onProgress'];
}

/** A tool over the caller's flows, for agents that speak MCP. */
export interface FlowTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly annotations: ToolAnnotations;
  /** Whether an atomic batch can take the call back: it only reads, edits a flow or makes one. */
  readonly undoable: boolean;
  run(input: never, call: FlowToolCall): Promise<FlowToolData>;
}

interface FlowToolParts<Input extends z.ZodRawShape, Output extends z.ZodRawShape>
  extends Omit<FlowTool, 'input' | 'output' | 'undoable' | 'run'> {
  readonly input: Input;
  readonly output: Output;
  /** Default: true. */
  readonly undoable?: boolean;
  run(input: z.output<z.ZodObject<Input>>, call: FlowToolCall): Promise<FlowToolData> | FlowToolData;
}

/** Makes a tool of its parts. */
export function flowTool<Input extends z.ZodRawShape, Output extends z.ZodRawShape>({
  input,
  output,
  undoable = true,
  run,
  ...parts
}: FlowToolParts<Input, Output>): FlowTool {
  return {
    ...parts,
    input: z.strictObject(input),
    output: z.object(output),
    undoable,
    run: async (given, call) => run(given, call),
  };
}

/** A refusal that the model of the client can act on. */
export const refuse = (message: string): ForModel => new ForModel(message);

/** The same tool for the MCP server. Each call gets a desk of its own. */
export function toMcpTool(tool: FlowTool, openDesk: (client: string | undefined) => FlowDesk): AnyTool {
  const { name, title, description, input, output, annotations } = tool;
  return {
    name,
    title,
    description,
    input,
    output,
    annotations,
    tags: [name],
    structured: true,
    async run(given: never, { caller, signal, confirm, onProgress }): Promise<ToolResult> {
      try {
        const data = await tool.run(given, { desk: openDesk(caller), signal, confirm, onProgress });
        return { ok: true, data, text: JSON.stringify(data) };
      } catch (error) {
        const message = messageOf(error);
        if (message === undefined) throw error;
        const data = { error: message, ...(error instanceof WithResults && { results: error.results }) };
        return { ok: false, data };
      }
    },
  };
}

/** A refusal after some work, with the results of that work. */
export class WithResults extends ForModel {
  readonly results: readonly unknown[];

  constructor(message: string, results: readonly unknown[]) {
    super(message);
    this.results = results;
  }
}

/** The text of a failure that callers may read; undefined for an unexpected one. */
export function messageOf(error: unknown): string | undefined {
  if (error instanceof ForModel || error instanceof ToolError) return error.message;
  return toProblem(error)?.message;
}
