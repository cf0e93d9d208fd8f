import { Tabs as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './class-names.ts';

/** Tabs, of which one is visible. Arrow keys move between them. */
export function Tabs(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root {...props} />;
}

/** The row of tabs. Its line is a shadow, because tabs that overlap a border would make the row scroll vertically. */
export function TabList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return (
    <Radix.List
      {...rest}
      className={cn('flex shrink-0 gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--color-line)]', className)}
    />
  );
}

/** One tab. */
export function Tab({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      {...rest}
      className={cn(
        'min-h-9 border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-soft hovered:text-ink',
        'focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink',
        className,
      )}
    />
  );
}

/** The content of a tab. */
export function TabPanel({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content {...rest} className={cn('outline-offset-0', className)} />;
}
