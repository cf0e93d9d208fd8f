import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api } from '../api/api.ts';
import { type ApiKey, keysQuery } from '../api/keys.ts';
import { formatWhen } from '../files/format.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { NameText } from '../ui/name-text.tsx';
import { ListCard, ListRow } from './list-card.tsx';

/** Keys by which programs come in as oneself. */
export function KeysPage() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(keysQuery);
  const [making, setMaking] = useState(false);
  const [ending, setEnding] = useState<ApiKey>();
  const revoke = useMutation({
    mutationFn: (id: string) => api('DELETE /api/v1/keys/{id}', { params: { id } }),
    onSuccess: () => toast({ text: 'Revoked. Programs can no longer use this key.' }),
    onError: (problem) => toast({ tone: 'bad', text: sentenceOf(problem) }),
    onSettled: async () => {
      setEnding(undefined);
      await client.invalidateQueries({ queryKey: keysQuery.queryKey });
    },
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
      row={(key) => <KeyLine key={key.id} apiKey={key} onRevoke={() => setEnding(key)} />}
    >
      <p className="border-t border-line px-5 py-4 text-sm text-soft">
        MCP clients connect to{' '}
        <code className="font-mono text-ink select-all [overflow-wrap:anywhere]">{mcpAddress()}</code> and send{' '}
        <code className="font-mono">Authorization: Bearer</code> with a key.
      </p>
      {making && <NewKeyDialog onClose={() => setMaking(false)} />}
      {ending && (
        <ConfirmDialog
          title={
            <>
              Revoke “<NameText name={ending.name} />
              ”?
            </>
          }
          about="Programs that use this key lose access immediately. You cannot restore it."
          action="Revoke"
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate(ending.id)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </ListCard>
  );
}

/** Where this server answers MCP, as the browser reached it. */
const mcpAddress = () => new URL('mcp', document.baseURI).href;

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

function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: (name: string) => api('POST /api/v1/keys', { body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() !== '' && !make.isPending) make.mutate(name.trim());
  }
  if (make.data)
    return (
      <SecretDialog
        key="secret"
        thing="key"
        about="The server shows the key only once and does not keep a readable copy."
        secret={make.data.secret}
        example={{
          title: 'Use it in Claude Code',
          command: `claude mcp add --transport http croft ${mcpAddress()} --header "Authorization: Bearer ${make.data.secret}"`,
          label: 'Command that adds this server to Claude Code',
        }}
        onClose={onClose}
      />
    );
  return (
    <Dialog key="name" open title="New key" onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="What is it for?"
          hint="Helps you recognize the key when you revoke it."
          error={make.error ? sentenceOf(make.error) : undefined}
        >
          {(control) => (
            <Input
              {...control}
              data-first
              required
              autoComplete="off"
              placeholder="Claude on my laptop"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <FormFoot action="Create key" busy={make.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
