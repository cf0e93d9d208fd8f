import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { type ApiKey, keysQuery } from '../api/keys.ts';
import { formatWhen } from '../files/format.ts';
import { NewKeyDialog } from '../mcp-clients/new-key-dialog.tsx';
import { Link } from '../routing/link.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { NameText } from '../ui/name-text.tsx';
import { ListCard, ListRow } from './list-card.tsx';
import { useConfirmed } from './use-confirmed.ts';

/** Keys by which programs come in as oneself. */
export function KeysPage() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(keysQuery);
  const [making, setMaking] = useState(false);
  const revocation = useConfirmed({
    act: ({ id }: ApiKey) => api('DELETE /api/v1/keys/{id}', { params: { id } }),
    done: 'Revoked. Programs can no longer use this key.',
    refresh: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const make = (
    <Button look="primary" onClick={() => setMaking(true)}>
      <Plus size={17} aria-hidden="true" /> New key
    </Button>
  );
  return (
    <ListCard
      title="API keys"
      about="For MCP clients and scripts. A key can do everything that you can, so create one for each program."
      things="keys"
      items={data?.keys}
      error={error}
      onRetry={() => void refetch()}
      add={make}
      icon={<KeyRound size={22} />}
      emptyText="With a key, a program can sign in without your password."
      row={(key) => <KeyLine key={key.id} apiKey={key} onRevoke={() => revocation.ask(key)} />}
    >
      <p className="border-t border-line px-5 py-4 text-sm text-soft">
        The address for MCP clients and the configuration of each are under{' '}
        <Link to="/connect" className="text-accent-strong underline underline-offset-2">
          Connect
        </Link>
        .
      </p>
      {making && <NewKeyDialog onClose={() => setMaking(false)} />}
      {revocation.item && (
        <ConfirmDialog
          title={
            <>
              Revoke “<NameText name={revocation.item.name} />
              ”?
            </>
          }
          about="Programs that use this key lose access immediately. You cannot restore it."
          action="Revoke"
          {...revocation.dialog}
        />
      )}
    </ListCard>
  );
}

function KeyLine({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  return (
    <ListRow
      actions={
        <Button small onClick={onRevoke} aria-label={`Revoke ${apiKey.name}`}>
          Revoke
        </Button>
      }
    >
      <p className="truncate font-medium">
        <NameText name={apiKey.name} />
      </p>
      <p className="text-sm text-soft">
        <code className="font-mono">{apiKey.prefix}…</code> · made {formatWhen(apiKey.createdAt)} ·{' '}
        {apiKey.lastUsedAt ? `used ${formatWhen(apiKey.lastUsedAt)}` : 'never used'}
      </p>
    </ListRow>
  );
}
