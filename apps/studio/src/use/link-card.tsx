import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink, Globe, Info } from 'lucide-react';
import { useState } from 'react';
import { api, apiQuery } from '../api/api.ts';
import { Link } from '../routing/link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { Callout, EmptyState } from '../ui/state.tsx';
import { toastError } from '../ui/toast.tsx';
import { acceptanceQuery } from './use-acceptance.ts';

/** The public link of a flow: anyone who has it chats with the flow, without an account. */
export function LinkCard({
  flowId,
  version,
  isAdmin,
  isChat,
}: {
  flowId: string;
  /** The version that a new link accepts. */
  version: number | undefined;
  /** Only administrators have links. A user who is one no more sees, and can remove, the link from before. */
  isAdmin: boolean;
  /** The flow takes messages. */
  isChat: boolean;
}) {
  const client = useQueryClient();
  const params = { id: flowId };
  const query = apiQuery('GET /api/v1/flows/{id}/link', { params });
  const { data, error, refetch } = useQuery(query);
  const [asked, setAsked] = useState<'add' | 'remove'>();
  const change = useMutation({
    mutationFn: async (what: 'add' | 'remove') => {
      if (what === 'add') await api('PUT /api/v1/flows/{id}/link', { params, body: { version } });
      else await api('DELETE /api/v1/flows/{id}/link', { params });
    },
    onError: toastError,
    onSettled: async () => {
      setAsked(undefined);
      await Promise.all([query, acceptanceQuery(flowId)].map(({ queryKey }) => client.invalidateQueries({ queryKey })));
    },
  });
  const address = data?.link && new URL(data.link.path.slice(1), document.baseURI).href;
  if (!isAdmin && !data?.link) return null;
  return (
    <Card aria-label="Public link">
      <CardHead title="Public link" about="Anyone who has it can chat with this flow, without an account." />
      {!data ? (
        <NotLoaded what="link" error={error} onRetry={() => void refetch()} />
      ) : data.link && !data.link.isOpen ? (
        <CardBody className="grid grid-cols-1 justify-items-start gap-3 pt-4">
          <Callout icon={<Info size={16} />}>
            The link of this flow does not work now, because you are not an administrator. It works again once you are
            one.
          </Callout>
          <Button small onClick={() => setAsked('remove')}>
            Remove link
          </Button>
        </CardBody>
      ) : address ? (
        <CardBody className="grid grid-cols-1 gap-3">
          <code className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm [overflow-wrap:anywhere]">
            {address}
          </code>
          <div className="flex flex-wrap gap-2">
            <CopyButton text={address} label="Copy link" small />
            <a href={address} target="_blank" rel="noopener" className={buttonClass('plain', true)}>
              <ExternalLink size={15} aria-hidden="true" /> Open
            </a>
            <Button small onClick={() => setAsked('remove')}>
              Remove link
            </Button>
          </div>
          <p className="text-sm text-soft">
            Visitors see the answers only. Their runs use your variables and files, and are in{' '}
            <Link to={`/flows/${flowId}/runs`} className="underline underline-offset-2">
              the runs of this flow
            </Link>
            . At most 60 messages a minute and 2,000 a day are answered.
          </p>
        </CardBody>
      ) : isChat ? (
        <EmptyState
          icon={<Globe size={22} />}
          title="No public link"
          action={<Button onClick={() => setAsked('add')}>Make a public link</Button>}
        />
      ) : (
        <CardBody className="pt-4">
          <Callout icon={<Info size={16} />}>
            The page of a public link is a chat, and this flow has no Chat input. Add one{' '}
            <Link to={`/flows/${flowId}`} className="underline underline-offset-2">
              on the canvas
            </Link>
            .
          </Callout>
        </CardBody>
      )}
      {asked && (
        <ConfirmDialog
          title={asked === 'add' ? 'Make a public link?' : 'Remove the public link?'}
          about={
            asked === 'add'
              ? 'Anyone who has the link can run this flow with your variables and files. Visitors can ask for everything that the flow can read.'
              : 'The link stops working at once. A new one will be different.'
          }
          action={asked === 'add' ? 'Make public link' : 'Remove link'}
          look={asked === 'add' ? 'primary' : 'danger'}
          busy={change.isPending}
          onConfirm={() => change.mutate(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Card>
  );
}
