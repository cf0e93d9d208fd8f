import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api/api.ts';
import { keysQuery } from '../api/keys.ts';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { ClientConfigs } from './client-configs.tsx';

/** Asks what a key is for, creates it, and shows it once with the configuration of each client. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
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
        example={{ title: 'Use it in an MCP client', content: <ClientConfigs secret={make.data.secret} /> }}
        onClose={onClose}
      />
    );
  return (
    <Dialog key="name" open title="New key" onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label="What is it for?"
          hint="Helps you recognize the key when you revoke it."
          error={make.error ? sentenceOf(make.error) : undefined}
          data-first
          required
          placeholder="Claude on my laptop"
          value={name}
          onText={setName}
        />
        <FormFoot action="Create key" busy={make.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
