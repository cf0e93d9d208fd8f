import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../api/me.ts';
import { CommandLine } from '../ui/command-line.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

const LOOK_AGAIN_MS = 3_000;

/** Shown on a server without sign-in to a browser without a session: how to open the page from the terminal. */
export function OpenByLinkPage() {
  // If the link is opened in another tab, this tab notices.
  useQuery({ ...meQuery, refetchInterval: LOOK_AGAIN_MS });
  return (
    <SignInFrame
      title="Open it from your terminal"
      about="This server has no passwords. Run this command on the machine where Croft runs. It opens this page with a link that works once:"
    >
      <CommandLine command="croft open" label="Command that opens Croft" />
      <p role="status" className="mt-4 flex items-center gap-2.5 text-sm text-soft">
        <Spinner /> Waiting. This page continues after you open the link.
      </p>
      <details className="mt-6 border-t border-line pt-4 text-sm text-soft">
        <summary className="w-fit rounded-sm font-medium text-ink">
          Why a link? What if the command is not found?
        </summary>
        <p className="mt-2">
          Other users and programs of this computer can reach this address too. Only you can get the link. It works
          once, within ten minutes; then this browser stays signed in. <code className="font-mono">croft serve</code>{' '}
          prints one when it starts. If <code className="font-mono">croft</code> is not installed, run{' '}
          <code className="font-mono">node bin/croft.cjs open</code> in the checkout.
        </p>
      </details>
    </SignInFrame>
  );
}
