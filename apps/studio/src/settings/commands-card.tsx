import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { type FlowCommand, flowCommandsQuery } from '../api/flow-commands.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CommandDialog } from './command-dialog.tsx';
import { ListCard, ListRow } from './list-card.tsx';
import { useConfirmed } from './use-confirmed.ts';

type Row = FlowCommand | { readonly fixed: string };

/** The commands that flows of administrators may start as MCP servers: added and removed here, or fixed by a setting. */
export function CommandsCard() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(flowCommandsQuery);
  const [isAdding, setIsAdding] = useState(false);
  const removal = useConfirmed({
    act: ({ id }: FlowCommand) => api('DELETE /api/v1/flow-commands/{id}', { params: { id } }),
    done: 'Removed. Flows can no longer start this command.',
    refresh: () => client.invalidateQueries({ queryKey: flowCommandsQuery.queryKey }),
  });
  const rows = data && [...data.fixed.map((fixed): Row => ({ fixed })), ...data.commands];
  return (
    <ListCard
      title="Commands of MCP servers"
      about="Flows of administrators may start these as MCP servers. A command is code with the rights of the server."
      things="commands"
      items={rows}
      error={error}
      onRetry={() => void refetch()}
      add={
        <Button onClick={() => setIsAdding(true)}>
          <Plus size={17} aria-hidden="true" /> Allow a command
        </Button>
      }
      icon={<SquareTerminal size={22} />}
      emptyText="Flows reach MCP servers by their addresses."
      row={(row) =>
        'fixed' in row ? (
          <ListRow key={`fixed ${row.fixed}`} actions={<Badge>Fixed by CROFT_FLOW_COMMANDS</Badge>}>
            <p className="font-mono text-sm [overflow-wrap:anywhere]">{row.fixed}</p>
          </ListRow>
        ) : (
          <ListRow
            key={row.id}
            actions={
              <Button small aria-label={`Remove ${row.command}`} onClick={() => removal.ask(row)}>
                Remove
              </Button>
            }
          >
            <p className="font-mono text-sm [overflow-wrap:anywhere]">{row.command}</p>
            <p className="text-sm text-soft [overflow-wrap:anywhere]">
              Runs <span className="font-mono">{row.argv.join(' ')}</span>
            </p>
            {!row.isFound && (
              <p className="text-sm text-warn">
                The server finds another program now, or none, and refuses the command. Remove it and allow it again.
              </p>
            )}
          </ListRow>
        )
      }
    >
      {isAdding && <CommandDialog onClose={() => setIsAdding(false)} />}
      {removal.item && (
        <ConfirmDialog
          title="Remove this command?"
          about={
            <>
              Flows that start <span className="font-mono [overflow-wrap:anywhere]">{removal.item.command}</span> fail
              from now on. Runs that have started it keep it until they end.
            </>
          }
          action="Remove command"
          {...removal.dialog}
        />
      )}
    </ListCard>
  );
}
