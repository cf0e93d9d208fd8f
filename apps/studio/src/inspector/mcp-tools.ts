import { isValueType, type Json, type ValueSchema } from '@croft/flow';
import type { ApiRequest, ApiResponse } from '@croft/server/contract';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/api.ts';
import type { NodeField } from './node-fields.ts';

const ROUTE = 'POST /api/v1/mcp-servers/tools';

type McpServer = ApiRequest<typeof ROUTE>['body']['server'];
export type McpTool = ApiResponse<typeof ROUTE>['tools'][number];

/** The MCP server that a component names, and its tools once they were listed. */
export interface McpTools {
  /** Undefined while the component names none itself. */
  readonly server: McpServer | undefined;
  readonly tools: readonly McpTool[] | undefined;
  /** Why the tools cannot be listed. */
  readonly failure: string | undefined;
  readonly isListing: boolean;
  list(): void;
}

/** The server of the component `MCPTools`; undefined for others. Asks the server when `list` is called, and not before. */
export function useMcpTools(type: string | undefined, fields: readonly NodeField[]): McpTools | undefined {
  const server = serverOf(fields);
  const { data, error, isFetching, refetch } = useQuery({
    ...apiQuery(ROUTE, { body: { server: server ?? { kind: 'command', command: '' } } }),
    enabled: false,
    staleTime: Infinity,
    retry: false,
  });
  if (type !== 'MCPTools') return undefined;
  const failure = data?.failure ? `${data.failure.message} ${data.failure.fix}` : error?.message;
  return {
    server,
    tools: data && !data.failure ? data.tools : undefined,
    failure,
    isListing: isFetching,
    list: () => void refetch(),
  };
}

/** The server that the shown fields name. One that an edge brings is known in a run only. */
export function serverOf(fields: readonly NodeField[]): McpServer | undefined {
  const textOf = (name: string) => {
    const found = fields.find(({ field, sources }) => field.name === name && sources.length === 0);
    return typeof found?.value === 'string' ? found.value.trim() : '';
  };
  const command = textOf('command');
  if (command !== '') return { kind: 'command', command };
  const url = textOf('url');
  return url === '' ? undefined : { kind: 'http', url, credential: textOf('credential') };
}

/** The field of the arguments, with what the listed tool takes: values that differ are named before a run. */
export function withToolSchema(each: NodeField, tool: Json | undefined, mcp: McpTools | undefined): NodeField {
  const found = each.field.name === 'tool_arguments' && mcp?.tools?.find(({ name }) => name === tool);
  return found ? { ...each, field: { ...each.field, schema: toolSchema(found.parameters) } } : each;
}

const MAX_DEPTH = 20;

/**
 * The part of a JSON Schema that fields check. Only keywords that say the same without their neighbours count, so a value
 * that the tool takes fits.
 */
export function toolSchema(given: unknown, depth = 0): ValueSchema {
  if (!isRecord(given) || depth > MAX_DEPTH || '$ref' in given) return {};
  const { type, enum: values, minimum, maximum, items, properties, required, additionalProperties } = given;
  const types = [type].flat();
  const hasType = types.every(isValueType) && given['nullable'] !== true;
  const hasValues = Array.isArray(values) && given['nullable'] !== true && values.every((each) => !isObject(each));
  const isClosed = additionalProperties === false && !('patternProperties' in given);
  return {
    ...(hasType && { type: types as NonNullable<ValueSchema['type']> }),
    ...(hasValues && { enum: values as Json[] }),
    ...(typeof minimum === 'number' && { minimum }),
    ...(typeof maximum === 'number' && { maximum }),
    ...(isRecord(items) && !('prefixItems' in given) && { items: toolSchema(items, depth + 1) }),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, toolSchema(each, depth + 1)]),
      ),
    }),
    ...(Array.isArray(required) && { required: required.filter((each) => typeof each === 'string') }),
    ...(isClosed && isRecord(properties) && { additionalProperties: false }),
  };
}

/** The arguments of a tool in words, such as `path (text, required)`. */
export function argumentWords({ parameters }: McpTool): readonly string[] {
  const { properties = {}, required = [] } = toolSchema(parameters);
  return Object.entries(properties).map(([name, { type }]) => {
    const words = [type ?? []].flat().map((each) => TYPES[each] ?? each);
    const facts = [...(words.length > 0 ? [words.join(' or ')] : []), ...(required.includes(name) ? ['required'] : [])];
    return facts.length === 0 ? name : `${name} (${facts.join(', ')})`;
  });
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
  null: 'nothing',
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}
