import { ArrowDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { useFollowedEnd } from '../ui/use-followed-end.ts';

/**
 * The messages of a conversation. Follows the end until the reader scrolls up, and again after a message of the reader; on a
 * phone, the whole page scrolls.
 */
export function ChatLog({
  sent,
  fills = false,
  children,
}: {
  /** Changes with each message that the reader sends. */ sent: unknown;
  /** Scrolls by itself also on a phone. */
  fills?: boolean;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAtEnd, toEnd } = useFollowedEnd(box, content);
  useEffect(toEnd, [toEnd, sent]);
  return (
    <div
      ref={box}
      role="region"
      aria-label="Messages"
      tabIndex={0}
      className={cn(
        'relative min-h-0 grow focus-visible:-outline-offset-2',
        fills ? 'overflow-y-auto' : 'md:overflow-y-auto',
      )}
    >
      <div ref={content} className="mx-auto grid w-full max-w-3xl grid-cols-1 content-start gap-6 px-4 py-5 md:px-6">
        {children}
      </div>
      {!isAtEnd && (
        <div
          className={cn(
            'pointer-events-none sticky bottom-3 z-10 grid justify-items-center',
            !fills && 'max-md:bottom-52',
          )}
        >
          <Button small className="pointer-events-auto shadow-float" onClick={toEnd}>
            <ArrowDown size={15} aria-hidden="true" /> Latest message
          </Button>
        </div>
      )}
    </div>
  );
}
