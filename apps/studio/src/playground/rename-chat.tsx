import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api/api.ts';
import { type ChatSession, sessionsQuery } from '../api/chats.ts';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { sentenceOf } from '../ui/state.tsx';

const MAX_NAME = 200;

/** Asks for the name of a conversation. */
export function RenameChat({
  flowId,
  session,
  onClose,
}: {
  flowId: string;
  session: ChatSession;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [name, setName] = useState(session.name);
  const rename = useMutation({
    mutationFn: () =>
      api('PATCH /api/v1/flows/{id}/sessions/{session}', {
        params: { id: flowId, session: session.id },
        body: { name: name.trim() },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionsQuery(flowId).queryKey });
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() !== '' && !rename.isPending) rename.mutate();
  }
  return (
    <Dialog open title="Rename the chat" onClose={onClose}>
      <form onSubmit={submit}>
        <Field label="Name" error={rename.error ? sentenceOf(rename.error) : undefined}>
          {(control) => (
            <Input
              {...control}
              data-first
              required
              autoComplete="off"
              maxLength={MAX_NAME}
              value={name}
              onFocus={(event) => event.target.select()}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <FormFoot action="Rename" busy={rename.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
