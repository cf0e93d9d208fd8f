import type { Edit, FlowNode, Json } from '@croft/flow';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ear, Plus, Square } from 'lucide-react';
import { useId, useState } from 'react';
import { api, apiQuery } from '../api/api.ts';
import { formatExactly } from '../files/format.ts';
import { Link } from '../routing/link.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Select } from '../ui/input.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Callout, sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { WebhookSecret } from '../use/webhook-secret.tsx';
import { readJson } from './read-json.ts';
import { type ReceivedRequest, useListener } from './use-listener.ts';

/**
 * Waits for a request to a webhook of the flow, and fixes it as the outputs of the component Webhook. Runs of this page use
 * it; requests that come later do not.
 */
export function WebhookListener({
  flowId,
  version,
  node,
  apply,
}: {
  flowId: string;
  /** The version that a new webhook accepts. */
  version: number;
  node: FlowNode;
  apply: (edits: readonly Edit[]) => unknown;
}) {
  const client = useQueryClient();
  const query = apiQuery('GET /api/v1/webhooks', { query: { flow: flowId } });
  const { data } = useQuery(query);
  const labelId = useId();
  const [chosen, setChosen] = useState<string>();
  const [shown, setShown] = useState<{ readonly path: string; readonly secret: string }>();
  const { state, start, stop } = useListener((request) => apply(fixedOutputs(node.id, request)));
  const webhook = data?.webhooks.find(({ id }) => id === chosen) ?? data?.webhooks.find(({ isOn }) => isOn);
  async function add() {
    try {
      const made = await api('POST /api/v1/flows/{id}/webhooks', { params: { id: flowId }, body: { version } });
      setShown({ path: made.webhook.path, secret: made.secret });
    } catch (error) {
      toast({ tone: 'bad', text: `The webhook was not added. ${sentenceOf(error)}` });
    }
    await client.invalidateQueries({ queryKey: query.queryKey });
  }
  if (!data) return null;
  const others = data.webhooks.filter(({ isOn }) => isOn);
  return (
    <section aria-labelledby={labelId} className="grid grid-cols-1 gap-2.5 rounded-lg border border-line p-3">
      <h3 id={labelId} className="text-sm font-medium">
        Try it with a request
      </h3>
      {webhook === undefined ? (
        <>
          <p className="text-sm text-soft">This flow has no webhook yet: an address to which other systems send.</p>
          <Button small className="justify-self-start" onClick={() => void add()}>
            <Plus size={15} aria-hidden="true" /> New webhook
          </Button>
        </>
      ) : (
        <>
          {others.length > 1 && (
            <Select
              aria-label="Webhook"
              value={webhook.id}
              disabled={state.kind === 'waiting'}
              onChange={(event) => setChosen(event.target.value)}
            >
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name} · {id.slice(0, 6)}
                </option>
              ))}
            </Select>
          )}
          <div className="flex items-start gap-2">
            <code className="min-w-0 grow rounded-md bg-sunken px-2 py-1.5 font-mono text-xs [overflow-wrap:anywhere]">
              {addressOf(webhook.path)}
            </code>
            <CopyButton small text={addressOf(webhook.path)} />
          </div>
          <div role="status" className="grid grid-cols-1 gap-2 text-sm text-soft empty:hidden">
            {state.kind === 'waiting' && (
              <p className="flex items-start gap-2">
                <Spinner className="mt-0.5 size-4" /> Waiting. The next request to this address starts no run.
              </p>
            )}
            {state.kind === 'expired' && <p>No request came in five minutes.</p>}
            {state.kind === 'captured' && (
              <Callout tone="good">
                Received {formatExactly(state.at)}. Runs that you start here use this request.
              </Callout>
            )}
            {state.kind === 'failed' && <Callout tone="bad">{state.message}</Callout>}
          </div>
          {state.kind === 'waiting' ? (
            <Button small className="justify-self-start" onClick={stop}>
              <Square size={13} aria-hidden="true" /> Stop waiting
            </Button>
          ) : (
            <Button small className="justify-self-start" onClick={() => void start(webhook.id)}>
              <Ear size={15} aria-hidden="true" /> Wait for a request
            </Button>
          )}
          <p className="text-sm text-soft">
            Replace its secret or turn it off under{' '}
            <Link to={`/flows/${flowId}/use`} className="underline underline-offset-2">
              Use it
            </Link>
            .
          </p>
        </>
      )}
      {shown && (
        <WebhookSecret address={addressOf(shown.path)} secret={shown.secret} onClose={() => setShown(undefined)} />
      )}
    </section>
  );
}

const addressOf = (path: string) => new URL(path.replace(/^\//, ''), document.baseURI).href;

/** The edits that fix a request as the outputs of a Webhook, as a run reads it: a body that is not an object is its `payload`. */
export function fixedOutputs(id: string, { data, query, headers }: ReceivedRequest): readonly Edit[] {
  const read = typeof data === 'string' ? readJson(data) : { value: data as Json };
  const body = 'value' in read ? read.value : (data as string);
  const isRow = typeof body === 'object' && body !== null && !Array.isArray(body);
  const outputs: Readonly<Record<string, Json>> = {
    output_data: isRow ? body : { payload: body },
    query: query as Json,
    headers: headers as Json,
  };
  return Object.entries(outputs).map(([output, value]) => ({ kind: 'pin_output', id, output, value }));
}
