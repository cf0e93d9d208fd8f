import { Button } from '../ui/button.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';

/** The secret of a webhook, once. */
export function SecretDialog({ address, secret, onClose }: { address: string; secret: string; onClose: () => void }) {
  return (
    <Dialog
      open
      title="Copy the secret now"
      about="The server shows it only once. The other system sends it with each request, or signs the request with it."
      onClose={onClose}
    >
      <p
        tabIndex={0}
        role="region"
        aria-label="The secret"
        className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm select-all [overflow-wrap:anywhere]"
      >
        {secret}
      </p>
      <details className="mt-4 text-sm">
        <summary className="w-fit rounded-sm font-medium">Try it</summary>
        <div className="mt-2">
          <CommandLine
            command={`curl ${address} -H 'Authorization: Bearer ${secret}' -H 'Content-Type: application/json' -d '{"order": 7}'`}
            label="Command that sends a request"
          />
        </div>
      </details>
      <DialogFoot>
        <CopyButton text={secret} look="primary" label="Copy secret" first />
        <Button onClick={onClose}>Done</Button>
      </DialogFoot>
    </Dialog>
  );
}
