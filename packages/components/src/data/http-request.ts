import type { NodeCall } from '@croft/flow';
import { credentialFor, isBound, targetOf } from '../network/bound-credential.ts';
import { NetworkError } from '../network/network-error.ts';
import { decodeBody } from '../network/read-bounded.ts';
import { request } from '../network/request.ts';
import { ComponentError, type CroftComponent, type Services } from '../services.ts';
import { isRow, toText } from '../values.ts';
import { httpRequestDescriptor } from './http-request-descriptor.ts';
import { type CurlRequest, parseCurl } from './parse-curl.ts';

/** Headers that carry credentials. A flow names the hosts that may receive them. */
const SENSITIVE = /^(authorization|proxy-authorization|cookie|x-api-key|api-key|x-goog-api-key)$|token|secret/i;

/** A request to an HTTP API. */
export const httpRequest: CroftComponent = {
  descriptor: httpRequestDescriptor,
  async run(call) {
    const { inputs, services, signal } = call;
    const { url, method, headers, body, followRedirects } =
      inputs['mode'] === 'cURL' ? fromCurl(inputs) : fromFields(inputs);
    const sent = withCredential(url, headers, call);
    // The same key for each attempt of a step lets a server recognise a repeated write. Without a run id, the key would
    // repeat in the next run.
    const isWrite = method !== 'GET' && method !== 'HEAD';
    if (isWrite && !call.stepKey.startsWith('/')) sent['idempotency-key'] ??= call.stepKey;
    try {
      const response = await request(services, url, {
        method,
        headers: sent,
        ...(body !== undefined && { body }),
        followRedirects,
        timeoutMs: Number(inputs['timeout']) * 1_000,
        signal,
      });
      const text = decodeBody(response.body, response.headers.get('content-type'));
      const result = {
        source: response.url,
        status_code: response.status,
        response_headers: Object.fromEntries([...response.headers].filter(([name]) => name !== 'set-cookie')),
        result: parsed(text, response.headers.get('content-type')),
      };
      return { data: result };
    } catch (error) {
      const isTransport = error instanceof NetworkError && ['unreachable', 'timed_out'].includes(error.code);
      if (!isTransport) throw error;
      return { data: { source: url, status_code: 500, error: error.message } };
    }
  },
};

type Inputs = NodeCall<Services>['inputs'];

function fromCurl(inputs: Inputs): CurlRequest {
  const command = toText(inputs['curl_input'] ?? '');
  const curl = parseCurl(command);
  const sensitive = Object.keys(curl.headers).filter((name) => SENSITIVE.test(name));
  for (const name of sensitive) checkBound(name, curl.url, inputs);
  return curl;
}

function fromFields(inputs: Inputs): CurlRequest {
  const url = withQuery(toText(inputs['url_input']).trim(), inputs['query_params']);
  const method = String(inputs['method']);
  const headers: Record<string, string> = {};
  for (const [name, value] of pairsOf(inputs['headers'])) {
    if (SENSITIVE.test(name)) checkBound(name, url, inputs);
    headers[name.toLowerCase()] = value;
  }
  const body = method === 'GET' ? undefined : bodyOf(inputs['body']);
  if (body !== undefined) headers['content-type'] ??= body.isJson ? 'application/json' : 'text/plain; charset=utf-8';
  const followRedirects = inputs['follow_redirects'] === true;
  return { url, method, headers, ...(body !== undefined && { body: body.text }), followRedirects };
}

/** A model or an edge may choose the address. Credentials of the flow's author go only to hosts that the author named. */
function checkBound(header: string, url: string, inputs: Inputs): void {
  const hosts = toText(inputs['credential_hosts'] ?? '')
    .split(/[\s,]+/)
    .filter((host) => host !== '');
  if (isBound(url, hosts)) return;
  throw new ComponentError(
    `The header '${header}' carries a credential and is not sent to '${targetOf(url)}'.`,
    'Add the host to credential_hosts (plain http as http://HOST:PORT), or remove the header.',
  );
}

function withCredential(
  url: string,
  headers: Readonly<Record<string, string>>,
  { inputs, services }: NodeCall<Services>,
): Record<string, string> {
  const name = toText(inputs['credential'] ?? '').trim();
  if (name === '') return { ...headers };
  const value = credentialFor(services, name, url);
  const header = String(inputs['credential_header']).toLowerCase();
  return { ...headers, [header]: header === 'authorization' ? `Bearer ${value}` : value };
}

function withQuery(address: string, query: unknown): string {
  const pairs = pairsOf(query);
  if (pairs.length === 0 || !URL.canParse(address)) return address;
  const url = new URL(address);
  for (const [name, value] of pairs) url.searchParams.append(name, value);
  return url.href;
}

/** Pairs of a table with `key` and `value`, or of a record. */
function pairsOf(value: unknown): readonly (readonly [string, string])[] {
  const rows = Array.isArray(value) ? value.filter(isRow) : undefined;
  const pairs = rows
    ? rows.map((row) => [toText(row['key'] ?? ''), toText(row['value'] ?? '')] as const)
    : isRow(value)
      ? Object.entries(value).map(([name, each]) => [name, toText(each)] as const)
      : [];
  return pairs.filter(([name]) => name !== '');
}

/** A table of keys and values or a record as JSON, a message as its text. */
function bodyOf(value: unknown): { readonly text: string; readonly isJson: boolean } | undefined {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return undefined;
  const isTable = Array.isArray(value) && value.every((row) => isRow(row) && Object.hasOwn(row, 'key'));
  if (isTable) return { text: JSON.stringify(Object.fromEntries(pairsOf(value))), isJson: true };
  const isMessage = typeof value === 'string' || (isRow(value) && typeof value['text'] === 'string');
  return isMessage ? { text: toText(value), isJson: false } : { text: JSON.stringify(value), isJson: true };
}

function parsed(text: string, contentType: string | null): unknown {
  if (!/[/+]json\b/i.test(contentType ?? '')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
