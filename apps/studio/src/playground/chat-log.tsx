import { ArrowDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';

/** The messages of a conversation. Follows the end while the reader is there; on a phone, the whole page scrolls. */
export function ChatLog({
  end,
  fills = false,
  children,
}: {
  /** Changes when the end of the conversation does. */ end: unknown;
  /** Scrolls by itself also on a phone. */
  fills?: boolean;
  children: ReactNode;
}) {
  const foot = useRef<HTMLDivElement>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const follows = useRef(true);
  useEffect(() => {
    if (!foot.current) return undefined;
    const observer = new IntersectionObserver(
      ([seen]) => {
        follows.current = seen?.isIntersecting ?? true;
        setIsAtEnd(follows.current);
      },
      { rootMargin: '0px 0px 120px 0px' },
    );
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, []);
  const toEnd = () => foot.current?.scrollIntoView({ block: 'end' });
  useEffect(() => {
    if (follows.current) toEnd();
  }, [end]);
  return (
    <div
      role="region"
      aria-label="Messages"
      tabIndex={0}
      className={cn(
        'relative min-h-0 grow focus-visible:-outline-offset-2',
        fills ? 'overflow-y-auto' : 'md:overflow-y-auto',
      )}
    >
      <div className="mx-auto grid w-full max-w-3xl grid-cols-1 content-start gap-6 px-4 py-5 md:px-6">{children}</div>
      <div ref={foot} aria-hidden="true" className="h-px max-md:scroll-mb-60" />
      {!isAtEnd && (
        <div
          className={cn(
            'pointer-events-none sticky bottom-3 z-10 grid justify-items-center',
            !fills && 'max-md:bottom-52',
          )}
        >
          <Button
            small
            className="pointer-events-auto shadow-float"
            onClick={() => {
              follows.current = true;
              toEnd();
            }}
          >
            <ArrowDown size={15} aria-hidden="true" /> Latest message
          </Button>
        </div>
      )}
    </div>
  );
}
