import type { Json } from '@croft/flow';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RunRequest } from '../run.ts';

/** How far the time of a signed request may be from now. */
const MAX_AGE_MS = 5 * 60_000;
const MAX_DELIVERY_ID = 200;
/** Headers with the id of a delivery, of senders in common use. A repeated delivery starts no second run. */
const DELIVERY_HEADERS = ['webhook-id', 'idempotency-key', 'x-github-delivery'];

/** Starts a run of a stored flow for each request with its secret. */
export interface Webhook {
  readonly id: string;
  readonly userId: string;
  readonly flowId: string;
  /** The trigger node that gets the payload, and the field for it. */
  readonly node: string;
  readonly field: string;
  /** Store it encrypted, and show it once. */
  readonly secret: string;
}

/** A request as an HTTP server has received it. Header names are in lower case. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** A secret for a new webhook: 256 random bits. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * The run that a request asks for, without its flow; undefined where the request does not have the secret.
 *
 * The secret is either sent (`Authorization: Bearer` or `X-Croft-Secret`), or signs the body: as in the Standard Webhooks
 * specification (`webhook-id`, `webhook-timestamp`, `webhook-signature`; not older than five minutes), or as GitHub does
 * (`X-Hub-Signature-256`). A JSON body arrives as JSON, another one as text.
 */
export function acceptWebhook(
  webhook: Webhook,
  request: WebhookRequest,
  now: Date,
): Omit<RunRequest, 'flow'> | undefined {
  if (!isAuthentic(webhook.secret, request, now)) return undefined;
  const { headers } = request;
  const delivery = DELIVERY_HEADERS.map((name) => headers[name]).find((value) => value !== undefined && value !== '');
  return {
    userId: webhook.userId,
    flowId: webhook.flowId,
    source: 'webhook',
    inputs: { [webhook.node]: { [webhook.field]: payloadOf(request) } },
    ...(delivery !== undefined && { triggerKey: `webhook:${webhook.id}:${shortId(delivery)}` }),
  };
}

function isAuthentic(secret: string, { headers, body }: WebhookRequest, now: Date): boolean {
  const sent = headers['x-croft-secret'] ?? /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1];
  if (sent !== undefined) return isEqual(sent, secret);
  const signature = headers['webhook-signature'];
  if (signature !== undefined) {
    const { 'webhook-id': id = '', 'webhook-timestamp': time = '' } = headers;
    if (!/^\d{1,12}$/.test(time) || Math.abs(now.getTime() - Number(time) * 1_000) > MAX_AGE_MS) return false;
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
    // A sender that rotates its secret signs with both.
    return signature.split(' ').some((each) => isEqual(each, `v1,${expected}`));
  }
  const hub = headers['x-hub-signature-256'];
  if (hub === undefined) return false;
  return isEqual(hub, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
}

/** In constant time for texts of any length. */
function isEqual(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}

function payloadOf({ headers, body }: WebhookRequest): Json {
  const text = Buffer.from(body).toString('utf8');
  if (!/[/+]json\b/i.test(headers['content-type'] ?? '')) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

const shortId = (id: string): string =>
  id.length <= MAX_DELIVERY_ID ? id : createHash('sha256').update(id).digest('base64url');
