import type { Json } from '@croft/flow';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How far the time of a signed request may be from now. */
const MAX_AGE_MS = 5 * 60_000;
const MAX_DELIVERY_ID = 200;
/** Headers with the id of a delivery, of senders in common use. A repeated delivery starts no second run. */
const DELIVERY_HEADERS = ['webhook-id', 'idempotency-key', 'x-github-delivery'];
/** Headers that describe a delivery, by name or by the last word of the name. Any other header may hold a secret. */
const DESCRIPTION =
  /^(accept|accept-language|accept-encoding|content-encoding|content-language|ce-[a-z0-9]+|idempotency-key|traceparent|x-event-key|x-slack-retry-num)$|(^|-)(action|agent|arn|at|attempt|date|delivery|domain|event|host|id|identifier|instance|length|name|number|reason|resource|retry|source|subject|time|timestamp|topic|type|uuid|version)$/;
/** Described headers that may hold a secret all the same, or that proxies add. */
const UNSAFE_HEADER =
  /auth|cookie|token|secret|signature|pass|credential|session|api-?key|jwt|assertion|csrf|xsrf|^(proxy-.*|forwarded|x-forwarded-.*|cf-.*)$/;
const MAX_DEPTH = 100;

/** A request as an HTTP server has received it. Header names are in lower case. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
}

/** The content of an accepted request. */
export interface Delivery {
  /** JSON as it is, a form as its fields, and any other body as text; so is JSON that is more than 100 levels deep. */
  readonly payload: Json;
  /** Those that describe the delivery, such as its type, event, topic, id and time. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without values that contain the secret of the webhook. */
  readonly query: Readonly<Record<string, string | string[]>>;
  /** A repeated delivery has the same id. At most 200 characters. */
  readonly id?: string;
}

/** A secret for a new webhook: 256 random bits. Store it encrypted, and show it once. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Reads a request to a webhook; undefined where the request does not have the secret.
 *
 * The secret is either sent (`Authorization: Bearer`, or `X-Croft-Token`), or signs the body: as in the Standard Webhooks
 * specification (`webhook-id`, `webhook-timestamp`, `webhook-signature`; not older than five minutes), or as GitHub does
 * (`X-Hub-Signature-256`). A signature of GitHub has no time: who records such a request can send it again.
 */
export function acceptWebhook(secret: string, request: WebhookRequest, now: Date): Delivery | undefined {
  const headers = singleHeaders(request);
  if (!isAuthentic(secret, headers, request.body, now)) return undefined;
  const id = DELIVERY_HEADERS.map((name) => headers[name]).find((value) => value !== undefined && value !== '');
  return {
    payload: payloadOf(headers, request.body),
    headers: safeHeaders(headers, secret),
    query: safeQuery(request.query, secret),
    ...(id !== undefined && { id: shortId(id) }),
  };
}

type Headers = Readonly<Record<string, string | undefined>>;

/** Node gives a list for few headers only, none of which is read here. */
const singleHeaders = ({ headers }: WebhookRequest): Headers =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

function isAuthentic(secret: string, headers: Headers, body: Uint8Array, now: Date): boolean {
  const sent = headers['x-croft-token'] ?? /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1];
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

function payloadOf(headers: Headers, body: Uint8Array): Json {
  const text = Buffer.from(body).toString('utf8');
  const type = headers['content-type'] ?? '';
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return readFields(text);
  if (!/[/+]json\b/i.test(type)) return text;
  try {
    const value = JSON.parse(text) as Json;
    return isTooDeep(value) ? text : value;
  } catch {
    return text;
  }
}

/** Fields of a query or a form; those with several values as lists. */
export function readFields(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] as string) : values]),
  );
}

/** A value that is deeper overflows the stack of those that read it later. */
function isTooDeep(value: Json): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

function safeHeaders(headers: Headers, secret: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        DESCRIPTION.test(entry[0]) &&
        !UNSAFE_HEADER.test(entry[0]) &&
        !hasSecret(entry[1], secret),
    ),
  );
}

function safeQuery(query: WebhookRequest['query'], secret: string): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, given]): [string, string | string[]][] => {
      if (hasSecret(name, secret)) return [];
      if (typeof given === 'string') return hasSecret(given, secret) ? [] : [[name, given]];
      const values = given.filter((value) => !hasSecret(value, secret));
      return values.length === 0 ? [] : [[name, values]];
    }),
  );
}

/** A query reads `+` of a secret that is not encoded as a space. */
const hasSecret = (text: string, secret: string): boolean =>
  text.replaceAll(' ', '+').includes(secret.replace(/^whsec_/, ''));

const shortId = (id: string): string =>
  id.length <= MAX_DELIVERY_ID ? id : createHash('sha256').update(id).digest('base64url');
