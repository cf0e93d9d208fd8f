import { z } from 'zod';
import { defineRoutes } from './define-route.ts';

/** Of a source as JSON: 1 MiB, in which each character may be escaped. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

const code = z.string();

/** A fault of a source. */
const codeProblem = z.strictObject({
  /** `forbidden`: components may not do it. `failed`: it was tried, and failed. `name`: of its class. */
  kind: z.enum(['syntax', 'ports', 'forbidden', 'failed', 'name']),
  /** Both from 1 on; 0 where unknown. */
  line: z.number(),
  column: z.number(),
  message: z.string(),
  /** The next step for the author. */
  fix: z.string(),
});

/** A component as its source declares it. */
const component = z.strictObject({
  name: z.string(),
  label: z.string(),
  description: z.string(),
  /** `Field` and `Output` of `@croft/flow`. */
  fields: z.array(z.looseObject({ name: z.string(), label: z.string(), kind: z.string() })),
  outputs: z.array(z.looseObject({ name: z.string(), label: z.string(), types: z.array(z.string()) })),
});

const refused = z.strictObject({ problems: z.array(codeProblem) });

/** Components that the caller wrote, in `.components/` of the caller's files. */
export const componentRoutes = defineRoutes('Components', {
  listComponents: {
    route: 'GET /api/v1/components',
    summary: 'List the components that you wrote, with what is wrong with those that cannot be used',
    access: 'caller',
    response: z.strictObject({
      components: z.array(
        z.strictObject({
          name: z.string(),
          label: z.string(),
          /** `generated`: an assistant wrote it, and you did not save it. */
          origin: z.enum(['saved', 'generated']),
          problem: codeProblem.nullable(),
        }),
      ),
      /** Files that are not components. */
      skipped: z.array(z.strictObject({ file: z.string(), reason: z.string() })),
    }),
    errors: ['unavailable'],
  },
  getComponent: {
    route: 'GET /api/v1/components/{name}',
    summary: 'Read the source of a component that you wrote',
    access: 'caller',
    response: z.strictObject({ name: z.string(), origin: z.enum(['saved', 'generated']), code }),
    errors: ['not_found', 'unavailable'],
  },
  saveComponent: {
    route: 'PUT /api/v1/components/{name}',
    summary:
      'Save a component under the name of its class. The server loads the code once in the sandbox; code that fails is not saved',
    access: 'caller',
    body: z.strictObject({ code }),
    maxBodyBytes: MAX_BODY_BYTES,
    response: z.strictObject({ component }),
    otherResponses: { 422: refused },
    errors: ['exists', 'quota_exceeded', 'unavailable'],
  },
  deleteComponent: {
    route: 'DELETE /api/v1/components/{name}',
    summary: 'Delete a component that you wrote. Flows that use it keep its code',
    access: 'caller',
    response: z.strictObject({ name: z.string() }),
    errors: ['not_found', 'unavailable'],
  },
  checkComponent: {
    route: 'POST /api/v1/components/check',
    summary: 'Read the ports of code, or what is wrong with it. Runs nothing and saves nothing',
    access: 'caller',
    body: z.strictObject({ code }),
    maxBodyBytes: MAX_BODY_BYTES,
    response: z.strictObject({ component }),
    otherResponses: { 422: refused },
  },
});
