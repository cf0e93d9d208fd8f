import type { FlowDocument } from '@croft/flow';
import { useQuery } from '@tanstack/react-query';
import { Workflow } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flowQuery } from '../api/flows.ts';
import { thumbOf } from './thumb.ts';

/** A small drawing of a flow. The document is loaded when the row is visible; opening the flow uses it too. */
export function FlowThumb({ id }: { id: string }) {
  const box = useRef<HTMLSpanElement>(null);
  const [isVisible, setIsVisible] = useState(false);
  useEffect(() => {
    if (!box.current || isVisible) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setIsVisible(true));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [isVisible]);
  const { data } = useQuery({ ...flowQuery(id), enabled: isVisible, retry: false });
  const thumb = useMemo(() => data && thumbOf(data.document as unknown as FlowDocument), [data]);
  return (
    <span
      ref={box}
      aria-hidden="true"
      className="grid h-11 w-16 shrink-0 place-items-center overflow-clip rounded-md border border-line bg-sunken text-accent max-sm:hidden"
    >
      {thumb ? (
        <svg viewBox={thumb.viewBox} className="size-full">
          <path d={thumb.wires} fill="none" stroke="var(--color-edge)" strokeWidth="12" />
          {thumb.boxes.map((each) => (
            <rect
              key={each.id}
              x={each.x}
              y={each.y}
              width={thumb.width}
              height={thumb.height}
              rx="30"
              fill="currentColor"
            />
          ))}
        </svg>
      ) : (
        <Workflow size={18} />
      )}
    </span>
  );
}
