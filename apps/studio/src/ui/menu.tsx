import { DropdownMenu as Radix } from 'radix-ui';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { cn } from './class-names.ts';

/**
 * A menu of actions behind a button. Not modal, because a modal menu locks scrolling with a style element, which the
 * Content-Security-Policy refuses.
 */
export function Menu({
  trigger,
  children,
  align = 'end',
  defaultOpen = false,
}: {
  trigger: ReactNode;
  defaultOpen?: boolean;
  children: ReactNode;
  align?: 'start' | 'end';
}) {
  const [button, setButton] = useState<HTMLElement | null>(null);
  return (
    <Radix.Root modal={false} defaultOpen={defaultOpen}>
      <Radix.Trigger ref={setButton} asChild>
        {trigger}
      </Radix.Trigger>
      {/* Inside of a landmark, so that screen readers find an open menu. An open dialog covers the landmark. */}
      <Radix.Portal container={button?.closest('dialog') ?? document.querySelector('main')}>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onKeyDown={(event) => event.stopPropagation()}
          className="z-50 min-w-44 animate-rise rounded-lg border border-line bg-raised p-1 text-ink shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** One action. `danger` for actions that remove something. */
export function MenuItem({
  danger = false,
  className,
  ...rest
}: ComponentProps<typeof Radix.Item> & { danger?: boolean }) {
  return (
    <Radix.Item
      {...rest}
      className={cn(
        'flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm outline-none select-none max-sm:min-h-10',
        'data-disabled:opacity-50 data-highlighted:bg-hover',
        danger && 'text-bad',
        className,
      )}
    />
  );
}

/** A line between groups of a menu. */
export function MenuLine() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
