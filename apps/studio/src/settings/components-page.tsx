import { asSentence } from '@croft/flow';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Blocks, Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { type UserComponent, userComponentsQuery } from '../api/components.ts';
import { componentsQuery } from '../api/flows.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CardBody } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Callout } from '../ui/state.tsx';
import { ComponentDialog } from './component-dialog.tsx';
import { ChangeAndDelete, ListCard, ListRow } from './list-card.tsx';
import { useConfirmed } from './use-confirmed.ts';

/** The components that the user or the assistant wrote: read, edit, add and delete them. */
export function ComponentsPage() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(userComponentsQuery);
  /** Empty: a new one. */
  const [editing, setEditing] = useState<string>();
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: ['user-components'] });
    await client.invalidateQueries({ queryKey: componentsQuery.queryKey });
  };
  const deletion = useConfirmed({
    act: (name: string) => api('DELETE /api/v1/components/{name}', { params: { name } }),
    refresh,
  });
  const button = (
    <Button look="primary" onClick={() => setEditing('')}>
      <Plus size={17} aria-hidden="true" /> New component
    </Button>
  );
  return (
    <ListCard
      title="Components"
      about="Components that you or the assistant wrote in TypeScript. All of your flows can use them."
      things="components"
      items={data?.components}
      error={error}
      onRetry={() => void refetch()}
      add={button}
      icon={<Blocks size={22} />}
      emptyText="The component TypeScript code on the canvas is part of one flow. A component here is for all of them."
      row={(component) => (
        <ComponentRow
          key={component.name}
          component={component}
          onEdit={() => setEditing(component.name)}
          onDelete={() => deletion.ask(component.name)}
        />
      )}
    >
      {data && data.skipped.length > 0 && (
        <CardBody className="pt-4">
          <Callout tone="warn">
            <p>These files of the folder .components are not components:</p>
            <ul className="mt-1 grid gap-1">
              {data.skipped.map(({ file, reason }) => (
                <li key={file}>
                  <code className="font-mono text-xs">{file}</code>: {reason}
                </li>
              ))}
            </ul>
          </Callout>
        </CardBody>
      )}
      {editing !== undefined && (
        <ComponentDialog
          name={editing}
          onSaved={() => {
            setEditing(undefined);
            void refresh();
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deletion.item !== undefined && (
        <ConfirmDialog
          title={`Delete ${deletion.item}?`}
          about="Flows that use it keep its code. You cannot add it to other flows any more."
          action="Delete component"
          {...deletion.dialog}
        />
      )}
    </ListCard>
  );
}

function ComponentRow({
  component: { name, label, origin, problem },
  onEdit,
  onDelete,
}: {
  component: UserComponent;
  onEdit: () => void;
  onDelete: () => void;
}) {
  return (
    <ListRow actions={<ChangeAndDelete name={name} change="Edit" onChange={onEdit} onDelete={onDelete} />}>
      <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
        {label}
        {origin === 'generated' && <Badge>By the assistant, not saved</Badge>}
        {problem && <Badge tone="bad">Cannot be used</Badge>}
      </p>
      <p className="font-mono text-xs text-soft [overflow-wrap:anywhere]">.components/{name}.ts</p>
      {problem && (
        <p className="text-sm text-bad [overflow-wrap:anywhere]">
          {problem.line > 0 && `Line ${problem.line}: `}
          {asSentence(problem.message)} {problem.fix}
        </p>
      )}
    </ListRow>
  );
}
