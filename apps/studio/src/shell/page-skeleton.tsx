import { Skeleton } from '../ui/skeleton.tsx';
import { Mark } from './mark.tsx';

/** Placeholder of a loading page. */
export function PageSkeleton() {
  return (
    <div role="status" className="grid gap-4 p-5 md:p-8">
      <span className="sr-only">Loading</span>
      <Skeleton className="h-7 w-40" />
      <Skeleton className="h-4 w-72 max-w-full" />
      <Skeleton className="mt-4 h-40 w-full rounded-lg" />
    </div>
  );
}

/** Placeholder of the whole studio; plain, because it shows only briefly. */
export function Splash() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <div role="status" className="animate-breathe">
        <Mark className="size-9" />
        <span className="sr-only">Loading Croft</span>
      </div>
    </main>
  );
}
