import { CloudOff } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { useServerLink } from './server-link.ts';

/** Shown on every page while the server does not respond and the studio retries. */
export function AwayBanner() {
  const { away, tryNow } = useServerLink();
  return (
    <div role="status" className="sticky top-0 z-20 empty:hidden">
      {away && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-warn/30 bg-warn-soft px-4 py-2 text-sm text-warn md:px-8">
          <p className="flex min-w-0 flex-[1_1_16rem] gap-3">
            <CloudOff size={17} aria-hidden="true" className="mt-0.5 shrink-0" />
            <span>
              <span className="font-medium">Croft does not answer.</span> This page shows older data. Is Croft still
              running?
            </span>
          </p>
          <span className="flex items-center gap-2.5">
            <Spinner /> Trying again
            <Button small onClick={tryNow}>
              Try now
            </Button>
          </span>
        </div>
      )}
    </div>
  );
}
