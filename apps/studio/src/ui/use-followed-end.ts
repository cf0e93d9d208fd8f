import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** A reader who is this close to the end, in pixels, reads the end. */
const NEAR = 40;

/** Keeps the end of `content` in view while it grows. Scrolling up stops that, and scrolling down to the end begins it again. */
export function useFollowedEnd(box: RefObject<HTMLDivElement | null>, content: RefObject<HTMLDivElement | null>) {
  const [isAtEnd, setIsAtEnd] = useState(true);
  const follows = useRef(true);
  /** The position after the last scroll, also of this page: a later event of that one is not a scroll of the reader. */
  const last = useRef(0);
  const scroller = useCallback(() => {
    const own = box.current;
    const isOwn = own !== null && getComputedStyle(own).overflowY !== 'visible';
    return isOwn ? own : document.documentElement;
  }, [box]);
  const toEnd = useCallback(() => {
    follows.current = true;
    setIsAtEnd(true);
    const outer = scroller();
    outer.scrollTop = outer.scrollHeight;
    last.current = outer.scrollTop;
  }, [scroller]);
  useEffect(() => {
    if (!box.current || !content.current) return undefined;
    last.current = scroller().scrollTop;
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller();
      const isNear = scrollHeight - clientHeight - scrollTop <= NEAR;
      // Content that grows moves the end away and not the reader: only the reader scrolls up.
      if (scrollTop < last.current - 1) follows.current = scrollHeight - clientHeight - scrollTop <= 2;
      else if (isNear && scrollTop > last.current + 1) follows.current = true;
      last.current = scrollTop;
      setIsAtEnd(isNear || follows.current);
    };
    // Before the scroll that it begins: a reply that grows meanwhile would end that scroll at the end again.
    const onWheel = ({ deltaY }: WheelEvent) => {
      if (deltaY < 0 && scroller().scrollTop > 0) follows.current = false;
    };
    const grown = new ResizeObserver(() => {
      if (follows.current) toEnd();
    });
    grown.observe(content.current);
    grown.observe(box.current);
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    const own = box.current;
    own.addEventListener('wheel', onWheel, { passive: true });
    return () => {
      grown.disconnect();
      own.removeEventListener('wheel', onWheel);
      document.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [box, content, scroller, toEnd]);
  return { isAtEnd, toEnd };
}
