import type { ReactNode } from 'react';
import { Button } from './button.tsx';

/** The button that loads the next page of a list. Shows nothing after the last page. */
export function ShowMore({
  query,
  small = false,
  children = 'Show more',
}: {
  query: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; fetchNextPage(): Promise<unknown> };
  small?: boolean;
  children?: ReactNode;
}) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      small={small}
      className="justify-self-center"
      busy={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {children}
    </Button>
  );
}
