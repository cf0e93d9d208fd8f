import { useMutation, useQuery } from '@tanstack/react-query';
import { deletedFlowsQuery } from '../api/flows.ts';
import { formatExactly, formatWhen } from '../files/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { NameText } from '../ui/name-text.tsx';
import { Callout, sentenceOf } from '../ui/state.tsx';
import { spelledName } from '../ui/unseen-characters.ts';

/** The deleted flows, each with a way back. */
export function DeletedDialog({
  onRestore,
  onClose,
}: {
  /** Rejects where the flow is not restored. */
  onRestore: (flow: { id: string; name: string }) => Promise<void>;
  onClose: () => void;
}) {
  const { data: flows = [] } = useQuery(deletedFlowsQuery);
  const restore = useMutation({ mutationFn: (flow: { id: string; name: string }) => onRestore(flow) });
  const { variables: asked } = restore;
  return (
    <Dialog
      open
      title="Recently deleted"
      about="Croft keeps your last 20 deleted flows for 7 days, with their versions and webhooks, and without their schedules."
      onClose={onClose}
    >
      {flows.length === 0 ? (
        <p role="status" className="py-3 text-sm text-soft">
          Nothing is left to restore.
        </p>
      ) : (
        <ul aria-label="Deleted flows" className="grid max-h-80 gap-1 overflow-y-auto">
          {flows.map(({ id, name, deletedAt }) => (
            <li key={id} className="flex items-center justify-between gap-3 rounded-md border border-line px-3 py-2">
              <div className="min-w-0">
                <p className="truncate font-medium">
                  <NameText name={name} />
                </p>
                <p className="text-sm text-soft">
                  <time dateTime={deletedAt} title={formatExactly(deletedAt)}>
                    Deleted {formatWhen(deletedAt)}
                  </time>
                </p>
              </div>
              <Button
                small
                aria-label={`Restore ${spelledName(name)}`}
                busy={restore.isPending && asked?.id === id}
                disabled={restore.isPending}
                onClick={() => restore.mutate({ id, name })}
              >
                Restore
              </Button>
            </li>
          ))}
        </ul>
      )}
      {restore.isSuccess && asked && (
        <p role="status" className="text-sm text-soft">
          Restored “<NameText name={asked.name} />
          ”.
        </p>
      )}
      {restore.error && asked && (
        <Callout tone="bad" role="alert">
          “<NameText name={asked.name} />” was not restored. {sentenceOf(restore.error)}
        </Callout>
      )}
    </Dialog>
  );
}
