import type { ComponentProps } from 'react';
import { hrefOf, navigate } from './location.ts';

/** A link within the studio. Supports new tabs like an ordinary link. */
export function Link({ to, onClick, ...rest }: ComponentProps<'a'> & { to: string }) {
  return (
    <a
      {...rest}
      href={hrefOf(to)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || event.button !== 0) return;
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        navigate(to);
      }}
    />
  );
}
