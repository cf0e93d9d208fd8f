import { CommandLine } from '../ui/command-line.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';

/** The secret of a webhook, once. */
export function WebhookSecret({ address, secret, onClose }: { address: string; secret: string; onClose: () => void }) {
  return (
    <SecretDialog
      thing="secret"
      about="The server shows it only once. The other system sends it with each request, or signs the request with it."
      secret={secret}
      example={{
        title: 'Try it',
        isShown: true,
        content: (
          <CommandLine
            command={`curl ${address} -H 'Authorization: Bearer ${secret}' -H 'Content-Type: application/json' -d '{"order": 7}'`}
            label="Command that sends a request"
            look="plain"
          />
        ),
      }}
      onClose={onClose}
    />
  );
}
