import type { ReactNode } from 'react';

/** A key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid min-w-5 place-items-center rounded-sm border border-line bg-sunken px-1 font-mono text-xs text-soft">
      {children}
    </kbd>
  );
}
