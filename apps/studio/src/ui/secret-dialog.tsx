import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog, DialogFoot } from './dialog.tsx';

/** A secret that the server shows once, with an example that uses it. */
export function SecretDialog({
  thing,
  about,
  secret,
  example,
  onClose,
}: {
  /** The word for the secret, such as `key`. */
  thing: string;
  about: string;
  secret: string;
  /** Folded away unless it is `isShown`. */
  example: { readonly title: string; readonly content: ReactNode; readonly isShown?: boolean };
  onClose: () => void;
}) {
  return (
    <Dialog open title={`Copy the ${thing} now`} about={about} onClose={onClose}>
      <p
        tabIndex={0}
        role="region"
        aria-label={`The ${thing}`}
        className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm text-balance select-all [overflow-wrap:anywhere]"
      >
        {secret}
      </p>
      {example.isShown === true ? (
        <section aria-label={example.title} className="mt-4 text-sm">
          <h3 className="font-medium">{example.title}</h3>
          <div className="mt-2">{example.content}</div>
        </section>
      ) : (
        <details className="mt-4 text-sm">
          <summary className="w-fit rounded-sm font-medium">{example.title}</summary>
          <div className="mt-2">{example.content}</div>
        </details>
      )}
      <DialogFoot>
        <CopyButton text={secret} look="primary" label={`Copy ${thing}`} first />
        <Button onClick={onClose}>Done</Button>
      </DialogFoot>
    </Dialog>
  );
}
