import { realpathSync } from 'node:fs';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { callTool, type ToolTable } from './call-tool.ts';
import type { CallContext, Tool, ToolResult } from './tool.ts';
import type { ToolsetName } from './toolset-names.ts';
import { makeToolset, type ToolsetOptions } from './toolsets.ts';
import { fixedWorkspace } from './workspace-source.ts';

/** Calls a tool by name and checks that its result has nothing that a model must not see. */
export type Call = (name: string, input?: unknown, context?: CallContext) => Promise<ToolResult>;

/** Limit for every result of every tool. */
const MAX_RESULT_BYTES = 1_048_576;

/**
 * Calls tools as a host does. Throws if a result has a host path that the call did not contain, a descriptor path or a stack, or
 * is larger than a result may be.
 *
 * @param hostDirs directories whose paths must not appear in results
 */
export function checkedCall(table: ToolTable, hostDirs: readonly string[]): Call {
  return async (name, input, context) => {
    const result = await callTool(table, { name, input }, context);
    checkResult(result, input, hostDirs);
    return result;
  };
}

function checkResult(result: ToolResult, input: unknown, hostDirs: readonly string[]): void {
  const data = JSON.stringify(result.data);
  const media = (result.media ?? []).reduce((sum, { data: base64 }) => sum + base64.length, 0);
  const size = Math.max(Buffer.byteLength(data), Buffer.byteLength(JSON.stringify(result.text ?? ''))) + media;
  if (size > MAX_RESULT_BYTES) throw new Error(`a result of ${size} bytes`);
  let seen = data + JSON.stringify(result.text ?? '');
  for (const own of new Set(stringsIn(input))) seen = seen.replaceAll(JSON.stringify(own).slice(1, -1), '');
  for (const dir of hostDirs.flatMap((given) => [given, realpathSync(given)])) {
    if (seen.includes(dir)) throw new Error(`the host path ${dir} in ${seen.slice(0, 2_000)}`);
  }
  const leak = /\/proc\/self\/fd|\\n +at [^\\]*:\d+:\d+/.exec(seen);
  if (leak) throw new Error(`${leak[0]} in ${seen.slice(0, 2_000)}`);
  if (!result.ok && typeof result.data.error !== 'string') throw new Error('a failure without a sentence');
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length > 1 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** A context whose user answers each question like this. `asked` gets the questions. */
export const answering = (answer: boolean | 'asked', asked: string[] = []): CallContext => ({
  confirm: async (question) => {
    asked.push(question);
    return answer;
  },
});

/** All that a client gets to know about a tool, and the paths of a call. */
export function describedTool<Input>(tool: Tool<Input>, input: Input): Readonly<Record<string, unknown>> {
  const { name, title, description, tags, annotations, structured, output } = tool;
  return {
    name,
    title,
    description,
    tags,
    annotations,
    structured,
    input: tool.input.toJSONSchema({ io: 'input' }).properties,
    output: output?.toJSONSchema().properties,
    paths: tool.paths?.(input),
  };
}

/** A scratch workspace with the tools of one set. */
export interface Bench {
  readonly scratch: Scratch;
  readonly workspace: Workspace;
  readonly table: ToolTable;
  readonly call: Call;
  close(): void;
}

/**
 * Creates a workspace like {@link makeScratch} and its tools.
 *
 * @param options.over use this workspace of another bench instead
 * @param options.above parent of the scratch directory; default: the system's temporary directory
 */
export function makeBench(
  toolset: ToolsetName,
  lines: readonly string[] = [],
  options: ToolsetOptions & {
    workspace?: WorkspaceOptions;
    table?: Partial<ToolTable>;
    over?: Workspace;
    above?: string;
  } = {},
): Bench {
  const scratch = makeScratch(lines, undefined, options.above);
  const workspace = options.over ?? openWorkspace(scratch.workspace, options.workspace);
  const table = { tools: makeToolset(toolset, fixedWorkspace(workspace), options), ...options.table };
  return {
    scratch,
    workspace,
    table,
    call: checkedCall(table, [options.over?.root ?? scratch.base]),
    close() {
      workspace.close();
      scratch.remove();
    },
  };
}
