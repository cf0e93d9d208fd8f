import { readFields } from '@croft/runs/webhook';
import { webhookRoutes } from '../contract/webhook-routes.ts';
import type { TrustedProxies } from '../edge/addresses.ts';
import type { QueuedRuns } from '../flow-runs/queued-runs.ts';
import { deliver, type DeliverOptions } from '../webhooks/deliver.ts';
import type { HookLimits } from '../webhooks/hook-limits.ts';
import type { WebhookListeners } from '../webhooks/listeners.ts';
import type { WebhookInfo, Webhooks } from '../webhooks/webhooks.ts';
import { readBody } from './read-json.ts';
import { type Route, route } from './route.ts';

export interface HookRouteOptions extends DeliverOptions {
  readonly hookLimits: HookLimits;
  readonly proxies: TrustedProxies;
  /** Until the body of a request has arrived; a minute and more unless given. */
  readonly hookBodyMs?: number;
}

export interface WebhookRouteOptions extends HookRouteOptions {
  readonly webhooks: Webhooks;
  readonly listeners: WebhookListeners;
  readonly queuedRuns: Pick<QueuedRuns, 'enqueue' | 'stopping'>;
}

const NO_WEBHOOK = 'You have no such webhook.';
const NOT_LISTENING = 'No listener waits at this webhook. Open one first.';
/** Requests of one user that wait for a captured request: each asks the database. */
const MAX_WAITING = 5;

/** Webhooks of flows, their test listeners, and the address of each. */
export function makeWebhookRoutes(options: WebhookRouteOptions): Route[] {
  const { webhooks } = options;
  return [
    route(webhookRoutes.listWebhooks, async ({ caller, query }) => ({
      webhooks: (await webhooks.list(caller.userId, query.flow)).map(shownWebhook),
    })),
    route(webhookRoutes.addWebhook, async ({ caller, params, body }) => {
      const { webhook, secret } = await webhooks.add(caller, params.id, body);
      return { webhook: shownWebhook(webhook), secret };
    }),
    route(webhookRoutes.changeWebhook, async ({ caller, params, body, problem }) => {
      const changed = await webhooks.change(caller, params.id, body);
      if (changed === undefined) throw problem('not_found', NO_WEBHOOK);
      return { webhook: shownWebhook(changed) };
    }),
    route(webhookRoutes.rotateWebhookSecret, async ({ caller, params, problem }) => {
      const secret = await webhooks.rotate(caller.userId, params.id);
      if (secret === undefined) throw problem('not_found', NO_WEBHOOK);
      return { secret };
    }),
    route(webhookRoutes.deleteWebhook, async ({ caller, params, problem }) => {
      if (!(await webhooks.remove(caller.userId, params.id))) throw problem('not_found', NO_WEBHOOK);
      return { id: params.id };
    }),
    ...makeListenerRoutes(options),
    makeHookRoute(options),
  ];
}

function makeListenerRoutes({ webhooks, listeners, queuedRuns }: WebhookRouteOptions): Route[] {
  const waiting = new Map<string, number>();
  return [
    route(webhookRoutes.openWebhookListener, async ({ caller, params, body, problem }) => {
      if ((await webhooks.find(caller.userId, params.id)) === undefined) throw problem('not_found', NO_WEBHOOK);
      return { expiresAt: (await listeners.open(params.id, body.seconds * 1_000)).toISOString() };
    }),
    route(webhookRoutes.readWebhookListener, async ({ caller, params, query, signal, problem }) => {
      const { userId } = caller;
      if ((await webhooks.find(userId, params.id)) === undefined) throw problem('not_found', NO_WEBHOOK);
      const others = waiting.get(userId) ?? 0;
      if (others >= MAX_WAITING) throw problem('busy', 'Too many requests wait already. End one first.');
      waiting.set(userId, others + 1);
      const ended = AbortSignal.any([signal, queuedRuns.stopping]);
      const state = await listeners.read(params.id, query.wait * 1_000, ended).finally(() => {
        const left = (waiting.get(userId) ?? 1) - 1;
        if (left === 0) waiting.delete(userId);
        else waiting.set(userId, left);
      });
      if (state === undefined) throw problem('not_found', NOT_LISTENING);
      const { status, expiresAt, request } = state;
      return { status, expiresAt: expiresAt.toISOString(), request: request && { ...request } };
    }),
    route(webhookRoutes.closeWebhookListener, async ({ caller, params, problem }) => {
      if ((await webhooks.find(caller.userId, params.id)) === undefined) throw problem('not_found', NO_WEBHOOK);
      if (!(await listeners.close(params.id))) throw problem('not_found', NOT_LISTENING);
      return { id: params.id };
    }),
  ];
}

/** Reads the whole request before it looks for the webhook, so that a refusal says nothing about which webhooks exist. */
export function makeHookRoute(options: HookRouteOptions): Route {
  const { hookBodyMs, hookLimits, proxies } = options;
  return route(webhookRoutes.deliverWebhook, async ({ params, incoming, other }) => {
    const { cut, done } = hookLimits.begin(proxies.originOf(incoming).address);
    const body = await readBody(incoming, webhookRoutes.deliverWebhook.maxBodyBytes, hookBodyMs, { cut }).finally(done);
    const { headers, url = '' } = incoming;
    const id = await deliver(options, { id: params.id, headers, body, query: readFields(queryOf(url)) });
    return id === undefined ? other(200, { captured: true }) : { id };
  });
}

const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

function shownWebhook({ id, flowId, name, isOn, createdAt, lastAt, lastRun, failure }: WebhookInfo) {
  return {
    id,
    flowId,
    name,
    path: `/hooks/${id}`,
    isOn,
    createdAt: createdAt.toISOString(),
    lastAt: lastAt?.toISOString() ?? null,
    lastRun,
    failure,
  };
}
