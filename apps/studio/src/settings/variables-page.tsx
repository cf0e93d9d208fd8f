import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Variable } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { MODELS_KEY, type UserVariable, variablesQuery } from '../api/models.ts';
import { formatWhen } from '../files/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ChangeAndDelete, ListCard, ListRow } from './list-card.tsx';
import { useConfirmed } from './use-confirmed.ts';
import { VariableDialog } from './variable-dialog.tsx';

/** The user's variables. The page never has a value, except while one is typed. */
export function VariablesPage() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(variablesQuery);
  const [editing, setEditing] = useState<UserVariable | 'new'>();
  const deletion = useConfirmed({
    act: ({ name }: UserVariable) => api('DELETE /api/v1/variables/{name}', { params: { name } }),
    refresh: () => client.invalidateQueries({ queryKey: MODELS_KEY }),
  });
  const button = (
    <Button look="primary" onClick={() => setEditing('new')}>
      <Plus size={17} aria-hidden="true" /> New variable
    </Button>
  );
  return (
    <ListCard
      title="Variables"
      about="Keys and other values that your flows use by name. They are stored encrypted, for you alone, and never shown again."
      things="variables"
      items={data}
      error={error}
      onRetry={() => void refetch()}
      add={button}
      icon={<Variable size={22} />}
      row={(variable) => (
        <VariableRow
          key={variable.name}
          variable={variable}
          onEdit={() => setEditing(variable)}
          onDelete={() => deletion.ask(variable)}
        />
      )}
    >
      {editing && (
        <VariableDialog variable={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
      {deletion.item && (
        <ConfirmDialog
          title={`Delete ${deletion.item.name}?`}
          about="Flows that use it fail from now on. You cannot restore its value."
          action="Delete variable"
          {...deletion.dialog}
        />
      )}
    </ListCard>
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
    <ListRow actions={<ChangeAndDelete name={name} change="Replace" onChange={onEdit} onDelete={onDelete} />}>
      <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
        <code className="font-mono text-sm">{name}</code>
        {kind === 'text' && <Badge>Text</Badge>}
      </p>
      <p className="text-sm text-soft [overflow-wrap:anywhere]">
        Set {formatWhen(updatedAt)}
        {hosts.length > 0 && <> · sent to {hosts.join(', ')}</>}
      </p>
      {failure && <p className="text-sm text-bad">{failure}</p>}
    </ListRow>
  );
}
