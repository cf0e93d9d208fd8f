import { z } from 'zod';
import { defineRoutes } from './define-route.ts';

const MAX_VALUE_CHARS = 32_768;
const MAX_HOSTS = 20;

const kind = z.enum(['credential', 'text']);

const variable = z.strictObject({
  name: z.string(),
  kind,
  hosts: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Why the value cannot be read, such as a lost secret key; null where it can. */
  failure: z.string().nullable(),
});

const host = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^(https?:\/\/)?([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:\d{1,5})?$/,
    'write each host as host or host:port, and as http://host:port for plain http',
  )
  .max(255);

/** The caller's variables and provider keys. No response contains a value. */
export const variableRoutes = defineRoutes('Variables', {
  listVariables: {
    route: 'GET /api/v1/variables',
    summary: 'List your variables and provider keys, without their values',
    access: 'caller',
    response: z.strictObject({ variables: z.array(variable) }),
  },
  // A key that could set OPENAI_BASE_URL would receive the stored OPENAI_API_KEY.
  setVariable: {
    route: 'PUT /api/v1/variables/{name}',
    audit: true,
    summary: 'Set a variable or provider key. Its value is stored encrypted and never returned',
    access: 'session',
    body: z.strictObject({
      value: z.string().min(1, 'give a value').max(MAX_VALUE_CHARS, `at most ${MAX_VALUE_CHARS} characters`),
      /** `credential`: runs redact it. `text`: events and logs may show it. */
      kind: kind.default('credential'),
      /** Where HTTP requests of a flow may send the value. Keys of model providers need none. */
      hosts: z.array(host).max(MAX_HOSTS, `at most ${MAX_HOSTS} hosts`).default([]),
    }),
    response: z.strictObject({ variable }),
    errors: ['invalid', 'quota_exceeded'],
  },
  deleteVariable: {
    route: 'DELETE /api/v1/variables/{name}',
    summary: 'Delete a variable',
    access: 'session',
    response: z.strictObject({ name: z.string() }),
    errors: ['not_found'],
  },
  // A session: a stolen key must not spend the user's money with requests that no run shows.
  testProvider: {
    route: 'POST /api/v1/models/{provider}/test',
    summary: 'Find out whether a model provider answers, by one small request with your key',
    access: 'session',
    response: z.strictObject({
      /** That answered; null where none did. */
      model: z.string().nullable(),
      ms: z.number().int(),
      failure: z.strictObject({ message: z.string(), fix: z.string() }).nullable(),
    }),
    errors: ['busy', 'not_found'],
  },
  listModels: {
    route: 'GET /api/v1/models',
    summary: 'List the model providers, and which of them your variables enable',
    access: 'caller',
    response: z.strictObject({
      providers: z.array(
        z.strictObject({
          name: z.string(),
          enabled: z.boolean(),
          /** Names of variables that still need a value. */
          missing: z.array(z.string()),
          /** Names of variables without a value that some servers of this kind need, such as a key. */
          optional: z.array(z.string()),
          /** An address as people write it, where the provider is a program of their own. */
          exampleUrl: z.string().nullable(),
          /** Known models, the default first; empty where the provider lists them itself. */
          models: z.array(z.string()),
          /** Known embedding models, the default first; null where the provider has none. */
          embeddingModels: z.array(z.string()).nullable(),
        }),
      ),
      /** The model of nodes that name none. */
      preferred: z.strictObject({ provider: z.string(), name: z.string() }),
    }),
  },
});
