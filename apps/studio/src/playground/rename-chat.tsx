import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api/api.ts';
import { type ChatSession, sessionsQuery } from '../api/chats.ts';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
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
        <TextField
          label="Name"
          error={rename.error ? sentenceOf(rename.error) : undefined}
          data-first
          required
          maxLength={MAX_NAME}
          value={name}
          onFocus={(event) => event.target.select()}
          onText={setName}
        />
        <FormFoot action="Rename" busy={rename.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
