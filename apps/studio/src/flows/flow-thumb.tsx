import type { FlowDocument } from '@croft/flow';
import { useQuery } from '@tanstack/react-query';
import { Workflow } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flowQuery } from '../api/flows.ts';
import { type Thumb, thumbOf } from './thumb.ts';

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
      {thumb ? <ThumbPicture thumb={thumb} /> : <Workflow size={18} />}
    </span>
  );
}

/** The drawing of a thumb; fills its box. */
export function ThumbPicture({ thumb: { viewBox, wires, boxes, width, height } }: { thumb: Thumb }) {
  return (
    <svg viewBox={viewBox} aria-hidden="true" className="size-full">
      <path d={wires} fill="none" stroke="var(--color-edge)" strokeWidth="12" />
      {boxes.map(({ id, x, y }) => (
        <rect key={id} x={x} y={y} width={width} height={height} rx="30" fill="currentColor" />
      ))}
    </svg>
  );
}
