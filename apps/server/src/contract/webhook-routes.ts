import { z } from 'zod';
import { defineRoutes, raw } from './define-route.ts';
import { seenVersion } from './flow-fields.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_LISTEN_SECONDS = 600;
const MAX_WAIT_SECONDS = 25;

const name = z.string().trim().min(1, 'give a name').max(100, 'at most 100 characters');

const webhook = z.strictObject({
  id: z.string(),
  flowId: z.string(),
  name: z.string(),
  /** Where requests go: the address of the server, then `/hooks/`, then the id. */
  path: z.string(),
  /** Whether it takes requests. */
  isOn: z.boolean(),
  createdAt: z.string(),
  /** The last request with the secret. */
  lastAt: z.string().nullable(),
  /** The id of the last run. */
  lastRun: z.string().nullable(),
  /** Why the last request started no run, or why none can. */
  failure: z.string().nullable(),
});

/** Sent once: it cannot be read again. */
const secret = z.string();

const capture = z.strictObject({
  receivedAt: z.string(),
  /** Values of the component Webhook, as a run would get them: the body, the query, and headers without secrets. */
  data: z.unknown(),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  headers: z.record(z.string(), z.string()),
});

/** Addresses at which other systems start runs of flows. Each caller reaches only their own webhooks. */
export const webhookRoutes = defineRoutes('Webhooks', {
  listWebhooks: {
    route: 'GET /api/v1/webhooks',
    summary: 'List your webhooks, without their secrets',
    access: 'caller',
    query: z.object({ flow: z.string().max(100).optional() }),
    response: z.strictObject({ webhooks: z.array(webhook) }),
  },
  // An API key that made webhooks, or turned them on, would turn a leak into lasting access.
  addWebhook: {
    route: 'POST /api/v1/flows/{id}/webhooks',
    audit: true,
    summary: 'Add a webhook to a flow. The response has its secret, once',
    access: 'session',
    body: z.strictObject({ name: name.default('Webhook'), version: seenVersion }),
    status: 201,
    response: z.strictObject({ webhook, secret }),
    errors: ['changed', 'newer_version', 'not_found', 'quota_exceeded'],
  },
  changeWebhook: {
    route: 'PATCH /api/v1/webhooks/{id}',
    audit: true,
    summary: 'Rename a webhook, or switch it off or on',
    access: 'session',
    body: z.strictObject({ name, isOn: z.boolean(), version: seenVersion }).partial(),
    response: z.strictObject({ webhook }),
    errors: ['changed', 'not_found'],
  },
  rotateWebhookSecret: {
    route: 'POST /api/v1/webhooks/{id}/secret',
    audit: true,
    summary: 'Replace the secret of a webhook. The earlier one stops working at once',
    access: 'session',
    response: z.strictObject({ secret }),
    errors: ['not_found'],
  },
  deleteWebhook: {
    route: 'DELETE /api/v1/webhooks/{id}',
    summary: 'Delete a webhook. Its runs stay',
    access: 'caller',
    response: z.strictObject({ id: z.string() }),
    errors: ['not_found'],
  },
  openWebhookListener: {
    route: 'POST /api/v1/webhooks/{id}/listener',
    summary: 'Keep the next request to a webhook for you to read. It starts no run',
    access: 'caller',
    body: z.strictObject({ seconds: z.number().int().min(1).max(MAX_LISTEN_SECONDS).default(120) }),
    response: z.strictObject({ expiresAt: z.string() }),
    errors: ['not_found'],
  },
  readWebhookListener: {
    route: 'GET /api/v1/webhooks/{id}/listener',
    summary: 'Read the request that was kept; with `wait`, wait for it that many seconds',
    access: 'caller',
    query: z.object({ wait: z.coerce.number().int().min(0).max(MAX_WAIT_SECONDS).default(0) }),
    response: z.strictObject({
      status: z.enum(['waiting', 'captured', 'expired']),
      expiresAt: z.string(),
      request: capture.nullable(),
    }),
    errors: ['busy', 'not_found', 'unavailable'],
  },
  closeWebhookListener: {
    route: 'DELETE /api/v1/webhooks/{id}/listener',
    summary: 'Stop listening, and delete the request that was kept',
    access: 'caller',
    response: z.strictObject({ id: z.string() }),
    errors: ['not_found'],
  },
  deliverWebhook: {
    route: 'POST /hooks/{id}',
    summary:
      'Start a run of the flow of a webhook. Send its secret as a bearer token or in `X-Croft-Token`, or sign the body with it: as Standard Webhooks, or as GitHub in `X-Hub-Signature-256`. A repeated `Idempotency-Key`, `webhook-id` or `X-GitHub-Delivery` gives the same run',
    access: 'anyone',
    skipsIdentity: true,
    body: raw('The payload: JSON, a form, or text', [
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      '*/*',
    ]),
    maxBodyBytes: MAX_BODY_BYTES,
    status: 202,
    response: z.strictObject({ id: z.string() }),
    /** The owner of the webhook listens: the request was kept and started no run. */
    otherResponses: { 200: z.strictObject({ captured: z.literal(true) }) },
    errors: ['busy', 'invalid', 'not_found', 'run_failed', 'unavailable'],
  },
});
