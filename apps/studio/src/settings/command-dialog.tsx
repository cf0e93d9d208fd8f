import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api } from '../api/api.ts';
import { flowCommandsQuery } from '../api/flow-commands.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot, FormFoot } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Callout, sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';

/** Asks for a command, shows what it runs, and allows it after a confirmation of exactly that. */
export function CommandDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [command, setCommand] = useState('');
  const check = useMutation({
    mutationFn: () => api('POST /api/v1/flow-commands/check', { body: { command } }),
  });
  const allow = useMutation({
    mutationFn: (argv: readonly string[]) => api('POST /api/v1/flow-commands', { body: { command, argv: [...argv] } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: flowCommandsQuery.queryKey });
      toast({ text: 'Allowed. Flows of administrators can start this command now.' });
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!check.isPending) check.mutate();
  }
  const argv = check.data?.argv;
  if (argv)
    return (
      <Dialog
        open
        title="Allow this command?"
        about="It is code: it runs with the rights of the server, and can read and change everything that the server can."
        onClose={onClose}
      >
        <div className="grid grid-cols-1 gap-4">
          <div className="grid grid-cols-1 gap-1.5 text-sm">
            <p className="font-medium">The server starts</p>
            <ol
              aria-label="Program and arguments"
              className="grid max-h-56 gap-1 overflow-y-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono [overflow-wrap:anywhere]"
            >
              {argv.map((part, index) => (
                <li key={index} className={index === 0 ? 'font-medium' : 'pl-4'}>
                  {part === '' ? '(empty)' : part}
                </li>
              ))}
            </ol>
          </div>
          <Callout tone="warn" icon={<ShieldAlert size={16} />}>
            A program that loads packages, such as npx, can run other code tomorrow: name a version if you can. Croft
            cannot see every way in which a program runs files that flows write.
          </Callout>
          {allow.error && (
            <p role="alert" className="text-sm text-bad">
              {sentenceOf(allow.error)}
            </p>
          )}
        </div>
        <DialogFoot>
          <Button look="danger" busy={allow.isPending} onClick={() => allow.mutate(argv)}>
            Allow command
          </Button>
          <Button
            data-first
            onClick={() => {
              allow.reset();
              check.reset();
            }}
          >
            Back
          </Button>
        </DialogFoot>
      </Dialog>
    );
  return (
    <Dialog open title="Allow a command" onClose={onClose}>
      <form onSubmit={submit} className="grid grid-cols-1 gap-4">
        <TextField
          label="Command"
          hint="A program and its arguments, as a flow names them. Not a shell: no pipes and no variables."
          error={check.error ? sentenceOf(check.error) : undefined}
          data-first
          required
          maxLength={500}
          spellCheck={false}
          placeholder="npx -y some-server@1.2.3"
          value={command}
          onText={setCommand}
        />
        <FormFoot action="Check" busy={check.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
