import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Variable } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { MODELS_KEY, type UserVariable, variablesQuery } from '../api/models.ts';
import { formatWhen } from '../files/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card, CardHead } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState, sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { VariableDialog } from './variable-dialog.tsx';

/** The user's variables. The page never has a value, except while one is typed. */
export function VariablesPage() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(variablesQuery);
  const [editing, setEditing] = useState<UserVariable | 'new'>();
  const [deleting, setDeleting] = useState<UserVariable>();
  const remove = useMutation({
    mutationFn: (name: string) => api('DELETE /api/v1/variables/{name}', { params: { name } }),
    onError: (problem) => toast({ tone: 'bad', text: sentenceOf(problem) }),
    onSettled: async () => {
      setDeleting(undefined);
      await client.invalidateQueries({ queryKey: MODELS_KEY });
    },
  });
  const button = (
    <Button look="primary" onClick={() => setEditing('new')}>
      <Plus size={17} aria-hidden="true" /> New variable
    </Button>
  );
  return (
    <Card aria-label="Variables">
      <CardHead
        title="Variables"
        about="Keys and other values that your flows use by name. They are stored encrypted, for you alone, and never shown again."
        action={data && data.length > 0 ? button : undefined}
      />
      {!data ? (
        error ? (
          <ErrorState title="The variables cannot be shown" error={error} onRetry={() => void refetch()} />
        ) : (
          <div className="p-5">
            <SkeletonLines label="Loading the variables" lines={4} />
          </div>
        )
      ) : data.length === 0 ? (
        <EmptyState icon={<Variable size={22} />} title="No variables yet" action={button} />
      ) : (
        <ul className="border-t border-line">
          {data.map((variable) => (
            <VariableRow
              key={variable.name}
              variable={variable}
              onEdit={() => setEditing(variable)}
              onDelete={() => setDeleting(variable)}
            />
          ))}
        </ul>
      )}
      {editing && (
        <VariableDialog variable={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
      {deleting && (
        <ConfirmDialog
          title={`Delete ${deleting.name}?`}
          about="Flows that use it fail from now on. You cannot restore its value."
          action="Delete variable"
          busy={remove.isPending}
          onConfirm={() => remove.mutate(deleting.name)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Card>
  );
}

function VariableRow({
  variable: { name, kind, hosts, updatedAt, failure },
  onEdit,
  onDelete,
}: {
  variable: UserVariable;
  onEdit: () => void;
  onDelete: () => void;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 last:border-0">
      <div className="min-w-0 flex-[1_1_14rem]">
        <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
          <code className="font-mono text-sm">{name}</code>
          {kind === 'text' && <Badge>Text</Badge>}
        </p>
        <p className="text-sm text-soft [overflow-wrap:anywhere]">
          Set {formatWhen(updatedAt)}
          {hosts.length > 0 && <> · sent to {hosts.join(', ')}</>}
        </p>
        {failure && <p className="text-sm text-bad">{failure}</p>}
      </div>
      <span className="flex gap-2">
        <Button small aria-label={`Replace ${name}`} onClick={onEdit}>
          Replace
        </Button>
        <Button small aria-label={`Delete ${name}`} onClick={onDelete}>
          Delete
        </Button>
      </span>
    </li>
  );
}
