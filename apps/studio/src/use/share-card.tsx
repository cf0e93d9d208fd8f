import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, apiQuery } from '../api/api.ts';
import { Button } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { TextField } from '../ui/text-field.tsx';
import { NameText } from '../ui/name-text.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { toastError } from '../ui/toast.tsx';

type Access = 'read' | 'edit';
const WORDS: Readonly<Record<Access, string>> = { read: 'can run it', edit: 'can run and edit it' };

/** The users with whom the owner shares a flow. */
export function ShareCard({ flowId }: { flowId: string }) {
  const client = useQueryClient();
  const query = apiQuery('GET /api/v1/flows/{id}/shares', { params: { id: flowId } });
  const { data, error, refetch } = useQuery(query);
  const refresh = () => client.invalidateQueries({ queryKey: query.queryKey });
  async function remove(user: string) {
    try {
      await api('DELETE /api/v1/flows/{id}/shares/{user}', { params: { id: flowId, user } });
    } catch (problem) {
      toastError(problem);
    }
    await refresh();
  }
  return (
    <Card aria-label="Sharing">
      <CardHead
        title="Share it with other users"
        about="They run it with their own files, variables and chats, and see all of its values. Keep keys in variables."
      />
      <CardBody className="grid grid-cols-1 gap-4">
        {!data ? (
          <NotLoaded what="users" error={error} onRetry={() => void refetch()} isInBody />
        ) : (
          data.shares.length > 0 && (
            <ul className="grid grid-cols-1 rounded-md border border-line">
              {data.shares.map(({ userId, name, email, access }) => (
                <li
                  key={userId}
                  className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-3 py-2 last:border-0"
                >
                  <span className="min-w-0 [overflow-wrap:anywhere]">
                    <NameText name={name || email} /> <span className="text-sm text-soft">{WORDS[access]}</span>
                  </span>
                  <Button small aria-label={`Stop sharing with ${name || email}`} onClick={() => void remove(userId)}>
                    Stop sharing
                  </Button>
                </li>
              ))}
            </ul>
          )
        )}
        <ShareForm flowId={flowId} onShared={refresh} />
      </CardBody>
    </Card>
  );
}

function ShareForm({ flowId, onShared }: { flowId: string; onShared: () => Promise<void> }) {
  const [user, setUser] = useState('');
  const [access, setAccess] = useState<Access>('read');
  const share = useMutation({
    mutationFn: () =>
      api('PUT /api/v1/flows/{id}/shares', { params: { id: flowId }, body: { user: user.trim(), access } }),
    onSuccess: async () => {
      setUser('');
      await onShared();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!share.isPending && user.trim() !== '') share.mutate();
  }
  return (
    <form onSubmit={submit} className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_14rem_auto]">
      <TextField
        label="User"
        error={share.error ? sentenceOf(share.error) : undefined}
        required
        placeholder="E-mail address or sign-in name"
        value={user}
        onText={setUser}
      />
      <Field label="The user">
        {(control) => (
          <Select {...control} value={access} onChange={({ target }) => setAccess(target.value as Access)}>
            <option value="read">{WORDS.read}</option>
            <option value="edit">{WORDS.edit}</option>
          </Select>
        )}
      </Field>
      <Button type="submit" busy={share.isPending} className="sm:mt-[1.625rem]">
        Share
      </Button>
    </form>
  );
}
