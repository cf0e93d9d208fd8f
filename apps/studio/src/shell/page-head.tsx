import { type ReactNode, useEffect, useRef } from 'react';
import { moveCount, usePlace } from '../routing/location.ts';
import { cn } from '../ui/class-names.ts';

/**
 * The title of a page. Sets the document's title, and takes the focus after a change of page, so that screen readers read it.
 * A title that changes on the same page leaves the focus: someone may be typing.
 */
export function PageHead({
  title,
  about,
  actions,
  beside,
  isShort = false,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  /** A control for the title. */
  beside?: ReactNode;
  /** On a phone the title has one line, for pages whose content needs the height. */
  isShort?: boolean;
}) {
  const ref = useRef<HTMLHeadingElement>(null);
  const { path } = usePlace();
  useEffect(() => {
    document.title = `${title} · Croft`;
  }, [title]);
  useEffect(() => {
    if (moveCount() > 0) ref.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-[1_1_18rem]">
        <div className={cn('flex items-center gap-1', isShort && 'min-h-9')}>
          <h1
            ref={ref}
            tabIndex={-1}
            title={isShort ? title : undefined}
            className={cn(
              'min-w-0 text-2xl font-semibold tracking-tight [overflow-wrap:anywhere] max-md:text-xl',
              isShort && 'max-md:truncate',
            )}
          >
            {title}
          </h1>
          {beside}
        </div>
        {about && <p className="mt-1 max-w-prose text-soft">{about}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
