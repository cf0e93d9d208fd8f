import { cn } from './class-names.ts';

/** The shape of loading content. Decorative: the view around it announces loading. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cn('block animate-breathe rounded-sm bg-line', className)} />;
}

/** Lines of a loading card; announced as `label`. */
export function SkeletonLines({ label, lines = 3 }: { label: string; lines?: number }) {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} className={cn('h-4', index % 3 === 2 ? 'w-2/5' : index % 2 === 1 ? 'w-4/5' : 'w-full')} />
      ))}
    </div>
  );
}
