import { FlowError } from '@croft/flow';
import { acceptWebhook, newWebhookSecret, type WebhookRequest } from '@croft/runs/webhook';
import { showProblem } from '../flow-runs/all-runs.ts';
import type { QueuedRuns } from '../flow-runs/queued-runs.ts';
import { type ReadFlow, readyFlow, type ReadyOptions } from '../flow-runs/start-stored-flow.ts';
import { type HookRequest, webhookInputs, withoutFixedTriggers } from '../flow-runs/trigger-inputs.ts';
import { Problem } from '../problem.ts';
import { problem } from '../routes/route.ts';
import type { HookLimits } from './hook-limits.ts';
import type { WebhookListeners } from './listeners.ts';
import type { OpenWebhook, Webhooks } from './webhooks.ts';

export interface DeliverOptions extends Omit<ReadyOptions, 'readFlow'> {
  readonly readApproved: ReadFlow;
  readonly webhooks: Pick<Webhooks, 'open' | 'note'>;
  readonly listeners: Pick<WebhookListeners, 'capture'>;
  readonly hookLimits: Pick<HookLimits, 'accept'>;
  readonly queuedRuns: Pick<QueuedRuns, 'enqueue'>;
}

/** A request to the address of a webhook. */
export interface HookCall extends WebhookRequest {
  readonly id: string;
}

const TIMEOUT_MS = 3_600_000;
/** Checked in place of the secret of a missing webhook, so that both take equally long. */
const NO_SECRET = newWebhookSecret();

/**
 * Queues a run for a request with the secret of a webhook, or keeps the request where its owner listens.
 *
 * @returns the id of the run; undefined where a listener took the request
 * @throws Problem `not_found`, the same for a missing webhook, one that is off, and a wrong secret; `busy`; `run_failed`
 */
export async function deliver(options: DeliverOptions, call: HookCall): Promise<string | undefined> {
  const { webhooks, listeners, hookLimits } = options;
  const found = await webhooks.open(call.id);
  const delivery = acceptWebhook(found?.secret ?? NO_SECRET, call, new Date());
  if (found === undefined || delivery === undefined) throw noWebhook();
  hookLimits.accept(found.id);
  const request = { data: delivery.payload, query: delivery.query, headers: delivery.headers };
  if (await listeners.capture(found.id, request)) return undefined;
  try {
    const runId = await startRun(options, found, request, delivery.id);
    // The run is queued: a sender that got an error would send the request again.
    await webhooks.note(found.id, { runId }).catch(() => {});
    return runId;
  } catch (error) {
    const failure = reasonOf(error);
    if (failure === undefined) throw error;
    await webhooks.note(found.id, { failure });
    // The sender is not the owner: the reason names parts of the flow.
    throw problem('run_failed', 'The flow cannot run. Its owner finds the reason in the list of webhooks.');
  }
}

async function startRun(
  options: DeliverOptions,
  { id, userId, flowId }: OpenWebhook,
  request: HookRequest,
  deliveryId: string | undefined,
): Promise<string> {
  const { flow, inputs, bytes } = await readyFlow({ ...options, readFlow: options.readApproved }, userId, {
    flowId,
    values: (stored) => {
      const given = webhookInputs(stored, request);
      if (Object.keys(given).length === 0)
        throw problem('invalid', 'The flow has no component Webhook. Add one, which gives the request to the flow.');
      return { inputs: given };
    },
  });
  return options.queuedRuns
    .enqueue({
      userId,
      flowId,
      startedBy: 'webhook',
      flow: withoutFixedTriggers(flow, 'Webhook'),
      inputs,
      bytes,
      timeoutMs: TIMEOUT_MS,
      webhook: { id, deliveryId },
    })
    .catch(showProblem);
}

/** Of a failure that only the owner of the flow can end. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof FlowError) return error.message;
  if (!(error instanceof Problem)) return undefined;
  if (error.code === 'not_found') return 'The flow is not shared with you any more.';
  return error.code === 'invalid' ? error.message : undefined;
}

const noWebhook = () => problem('not_found', 'There is no such webhook, or the request does not have its secret.');
