import type { ApiResponse } from '@croft/server/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { Link } from '../routing/link.tsx';
import { Button } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { NameText } from '../ui/name-text.tsx';
import { toast, toastError } from '../ui/toast.tsx';
import { acceptanceQuery } from './use-acceptance.ts';

/** Asks to accept a flow that another user owns or changed. Absent once its version is accepted. */
export function AcceptCard({
  flowId,
  acceptance,
}: {
  flowId: string;
  acceptance: ApiResponse<'GET /api/v1/flows/{id}/acceptance'> | undefined;
}) {
  const client = useQueryClient();
  const params = { id: flowId };
  const accept = useMutation({
    mutationFn: (version: number) => api('PUT /api/v1/flows/{id}/acceptance', { params, body: { version } }),
    onSuccess: ({ version }) => toast({ text: `You accepted version ${version}` }),
    onError: toastError,
    onSettled: () => client.invalidateQueries({ queryKey: acceptanceQuery(flowId).queryKey }),
  });
  if (!acceptance || acceptance.accepted === acceptance.version) return null;
  return (
    <Card aria-label="Accept this version">
      <CardHead
        title={
          acceptance.changedBy === null ? (
            'Another user works on this flow'
          ) : (
            <>
              <NameText name={acceptance.changedBy} /> changed this flow
            </>
          )
        }
        about="Your other flows, schedules, webhooks, public links and programs with an API key run it with your files and variables, and only at a version that you accepted. Turning on a schedule, webhook or link here accepts this version, too."
      />
      <CardBody className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button busy={accept.isPending} onClick={() => accept.mutate(acceptance.version)}>
          Accept version {acceptance.version}
        </Button>
        <Link to={`/flows/${flowId}/versions`} className="text-sm underline underline-offset-2">
          See the changes
        </Link>
        <Link to={`/flows/${flowId}`} className="text-sm underline underline-offset-2">
          Check it on the canvas
        </Link>
      </CardBody>
    </Card>
  );
}
