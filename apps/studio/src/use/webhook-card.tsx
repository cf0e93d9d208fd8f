import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Info, KeyRound, Plus, Trash2, Webhook } from 'lucide-react';
import { useState } from 'react';
import { api, apiQuery } from '../api/api.ts';
import { Link } from '../routing/link.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { Callout, EmptyState } from '../ui/state.tsx';
import { toastError } from '../ui/toast.tsx';
import { acceptanceQuery } from './use-acceptance.ts';
import { WebhookSecret } from './webhook-secret.tsx';
import { TriggerRow } from './trigger-list.tsx';

/** The webhooks of a flow. A secret is shown once. */
export function WebhookCard({
  flowId,
  version,
  hasEntry,
}: {
  flowId: string;
  /** The version that a webhook accepts when it is turned on. */
  version: number | undefined;
  /** A component takes the request. */
  hasEntry: boolean;
}) {
  const client = useQueryClient();
  const query = apiQuery('GET /api/v1/webhooks', { query: { flow: flowId } });
  const { data, error, refetch } = useQuery(query);
  const [shown, setShown] = useState<{ readonly path: string; readonly secret: string }>();
  const [asked, setAsked] = useState<{
    readonly kind: 'delete' | 'replace';
    readonly id: string;
    readonly path: string;
  }>();
  const [isBusy, setIsBusy] = useState(false);
  async function attempt(work: () => Promise<unknown>) {
    setIsBusy(true);
    try {
      await work();
    } catch (problem) {
      toastError(problem);
    }
    setIsBusy(false);
    await Promise.all([query, acceptanceQuery(flowId)].map(({ queryKey }) => client.invalidateQueries({ queryKey })));
  }
  const add = () =>
    attempt(async () => {
      const made = await api('POST /api/v1/flows/{id}/webhooks', { params: { id: flowId }, body: { version } });
      setShown({ path: made.webhook.path, secret: made.secret });
    });
  const confirm = ({ kind, id, path }: NonNullable<typeof asked>) =>
    attempt(async () => {
      try {
        if (kind === 'delete') await api('DELETE /api/v1/webhooks/{id}', { params: { id } });
        else setShown({ path, secret: (await api('POST /api/v1/webhooks/{id}/secret', { params: { id } })).secret });
      } finally {
        // Responses to other requests leave the dialog open.
        setAsked(undefined);
      }
    });
  const button = (
    <Button busy={isBusy && !asked} onClick={() => void add()}>
      <Plus size={16} aria-hidden="true" /> New webhook
    </Button>
  );
  return (
    <Card aria-label="Webhooks">
      <CardHead
        title="Webhooks"
        about="Another system starts a run with a request."
        action={data && data.webhooks.length > 0 ? button : undefined}
      />
      {!data ? (
        <NotLoaded what="webhooks" error={error} onRetry={() => void refetch()} />
      ) : data.webhooks.length === 0 ? (
        <EmptyState icon={<Webhook size={22} />} title="No webhooks" action={button} />
      ) : (
        <ul className="border-t border-line">
          {data.webhooks.map(({ id, name, path, ...webhook }) => (
            <TriggerRow
              key={id}
              {...webhook}
              name={name}
              about={<code className="font-mono text-xs">{addressOf(path)}</code>}
              onSwitch={(isOn) =>
                void attempt(() => api('PATCH /api/v1/webhooks/{id}', { params: { id }, body: { isOn, version } }))
              }
              actions={
                <Menu
                  trigger={
                    <IconButton label={`Actions for ${name}`} className="text-soft">
                      <Ellipsis size={17} />
                    </IconButton>
                  }
                >
                  <MenuItem onSelect={() => setAsked({ kind: 'replace', id, path })}>
                    <KeyRound size={15} aria-hidden="true" /> Replace the secret
                  </MenuItem>
                  <MenuItem danger onSelect={() => setAsked({ kind: 'delete', id, path })}>
                    <Trash2 size={15} aria-hidden="true" /> Delete
                  </MenuItem>
                </Menu>
              }
            />
          ))}
        </ul>
      )}
      {!hasEntry && (
        <CardBody className="pt-4">
          <Callout tone={data && data.webhooks.length > 0 ? 'warn' : 'neutral'} icon={<Info size={16} />}>
            This flow has no component Webhook, so requests start no run. Add one{' '}
            <Link to={`/flows/${flowId}`} className="underline underline-offset-2">
              on the canvas
            </Link>
            .
          </Callout>
        </CardBody>
      )}
      {shown && (
        <WebhookSecret address={addressOf(shown.path)} secret={shown.secret} onClose={() => setShown(undefined)} />
      )}
      {asked && (
        <ConfirmDialog
          title={asked.kind === 'delete' ? 'Delete this webhook?' : 'Replace its secret?'}
          about={
            asked.kind === 'delete'
              ? 'Requests to its address get the status 404. Its runs stay.'
              : 'The earlier secret stops working at once.'
          }
          action={asked.kind === 'delete' ? 'Delete webhook' : 'Replace secret'}
          busy={isBusy}
          onConfirm={() => void confirm(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Card>
  );
}

const addressOf = (path: string) => new URL(path.replace(/^\//, ''), document.baseURI).href;
