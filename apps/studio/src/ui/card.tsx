import type { ComponentProps, ReactNode } from 'react';
import { cn } from './class-names.ts';

/** A card on the page. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section {...rest} className={cn('rounded-lg border border-line bg-surface shadow-card', className)} />;
}

/** The head of a card: title, description, and actions on the right. */
export function CardHead({ title, about, action }: { title: ReactNode; about?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-5 pt-4 pb-3">
      <div className={cn('min-w-0', about ? 'flex-[1_1_16rem]' : 'grow')}>
        <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
        {about && <p className="mt-0.5 max-w-prose text-sm text-soft">{about}</p>}
      </div>
      {action}
    </div>
  );
}

/** The content of a card. */
export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cn('px-5 pt-1 pb-5', className)} />;
}
