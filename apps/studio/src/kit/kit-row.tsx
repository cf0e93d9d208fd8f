import type { ReactNode } from 'react';

/** States of one component, side by side. */
export function KitRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 items-start gap-x-6 gap-y-2 sm:grid-cols-[8rem_minmax(0,1fr)]">
      <h3 className="pt-1.5 text-sm text-soft">{name}</h3>
      <div className="flex min-w-0 flex-wrap items-center gap-3">{children}</div>
    </div>
  );
}
