import { z } from 'zod';
import {
  type Access,
  errorCodesOf,
  isForPeople,
  isRaw,
  type Raw,
  type RouteDefinition,
  splitRoute,
} from '../contract/define-route.ts';
import { PROBLEM_STATUS, type ProblemCode } from '../contract/problem-codes.ts';

type Json = Readonly<Record<string, unknown>>;

/** Facts about the server that the document states. */
export interface DocumentOptions {
  readonly version: string;
  readonly url: string;
  /** The cookie that carries a session. */
  readonly cookieName: string;
}

/** The OpenAPI 3.1 document of these routes; hidden ones are left out. Everything in it comes from the definitions. */
export function makeOpenApi(definitions: readonly RouteDefinition[], options: DocumentOptions): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const definition of definitions) {
    if (definition.isHidden) continue;
    const [method, path] = splitRoute(definition.route);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(definition) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Croft', version: options.version },
    servers: [{ url: options.url }],
    tags: [...new Set(definitions.filter(({ isHidden }) => !isHidden).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key of this server' },
        session: { type: 'apiKey', in: 'cookie', name: options.cookieName },
        machineKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Gateway-Key',
          description: 'The key of a connected machine',
        },
        keyHeader: { type: 'apiKey', in: 'header', name: 'X-Croft-Key', description: 'An API key of this server' },
      },
    },
  };
}

function operationOf(definition: RouteDefinition): Json {
  const { operationId, tag, summary, access, route, query, body } = definition;
  return {
    operationId,
    tags: [tag],
    summary,
    security: securityOf(access),
    parameters: [...pathParameters(route), ...queryParameters(query)],
    ...(body !== undefined && { requestBody: { required: true, content: contentOf(body, 'input') } }),
    responses: {
      ...successesOf(definition),
      ...(definition.servedBy === undefined ? errorsOf(definition) : { default: otherError(definition.servedBy) }),
    },
  };
}

function securityOf(access: Access): Json[] {
  if (access === 'anyone') return [];
  if (access === 'machine-key') return [{ machineKey: [] }];
  if (access === 'key-header') return [{ keyHeader: [] }];
  return isForPeople(access) ? [{ session: [] }] : [{ key: [] }, { session: [] }];
}

/** An error of a part that writes its responses itself. */
function otherError(servedBy: NonNullable<RouteDefinition['servedBy']>): Json {
  const error = z.looseObject({ code: z.union([z.string(), z.number()]), message: z.string() });
  const body = servedBy === 'mcp' ? z.looseObject({ jsonrpc: z.literal('2.0'), error }) : error;
  return { description: 'An error', content: contentOf(body, 'output') };
}

function pathParameters(route: string): Json[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | undefined): Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(query, 'input') as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function contentOf(body: z.ZodType | Raw, io: 'input' | 'output'): Json {
  if (!isRaw(body)) return { 'application/json': { schema: jsonSchema(body, io) } };
  // OpenAPI 3.1 describes binary content by its media type alone.
  return Object.fromEntries(body.mediaTypes.map((type) => [type, type.startsWith('text/') ? TEXT : {}]));
}

const TEXT = { schema: { type: 'string' } };

function successesOf({ response, status = 200, otherResponses = {} }: RouteDefinition): Json {
  const statuses = isRaw(response) ? (response.statuses ?? [status]) : [status];
  const description = isRaw(response) ? response.description : 'Success';
  const successes = statuses.map((one) => [one, { description, content: contentOf(response, 'output') }] as const);
  const others = Object.entries(otherResponses).map(
    ([one, schema]) => [one, { description: 'Another state', content: contentOf(schema, 'output') }] as const,
  );
  return Object.fromEntries([...successes, ...others]);
}

function errorsOf(definition: RouteDefinition): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of errorCodesOf(definition)) {
    const status = PROBLEM_STATUS[code];
    // A status with a body of its own is described already.
    if (definition.otherResponses?.[status] !== undefined) continue;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, errorOf(codes)]));
}

function errorOf(codes: readonly ProblemCode[]): Json {
  const error = z.strictObject({ code: z.enum(codes), message: z.string() });
  return { description: codes.join(', '), content: contentOf(z.strictObject({ error }), 'output') };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
