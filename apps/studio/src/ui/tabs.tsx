import { Tabs as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './class-names.ts';

/** Tabs, of which one is visible. Arrow keys move between them. */
export function Tabs(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root {...props} />;
}

/** The row of tabs. */
export function TabList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return <Radix.List {...rest} className={cn('flex gap-1 overflow-x-auto border-b border-line', className)} />;
}

/** One tab. */
export function Tab({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      {...rest}
      className={cn(
        '-mb-px min-h-9 border-b-2 border-transparent px-3 text-sm font-medium text-soft hovered:text-ink',
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
