import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';

const FIRST_LINES = 3_000;

/** Text with the numbers of its lines, one of them marked when asked for. Long ones in parts: a page of 50,000 lines scrolls badly. */
export function LineText({ text, label, mark }: { text: string; label: string; mark?: number | undefined }) {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  const [shownCount, setShownCount] = useState(Math.max(FIRST_LINES, (mark ?? 0) + 100));
  const shown = lines.slice(0, shownCount);
  const box = useRef<HTMLDivElement>(null);
  const marker = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (mark) marker.current?.scrollIntoView({ block: 'center' });
  }, [mark, text]);
  return (
    <div
      ref={box}
      role="region"
      aria-label={label}
      tabIndex={0}
      className="h-full overflow-auto focus-visible:-outline-offset-2"
    >
      <div className="relative flex w-max min-w-full font-mono text-sm">
        {mark !== undefined && mark <= shown.length && (
          <span
            ref={marker}
            aria-hidden="true"
            className="absolute inset-x-0 h-5 bg-accent/20"
            style={{ top: `${0.75 + (mark - 1) * 1.25}rem` }}
          />
        )}
        <pre
          aria-hidden="true"
          className="sticky left-0 border-r border-line bg-surface py-3 pr-3 pl-4 text-right text-soft select-none"
        >
          {shown.map((_, index) => index + 1).join('\n')}
        </pre>
        <pre className="relative grow px-4 py-3 [tab-size:4]">{shown.join('\n')}</pre>
      </div>
      {shown.length < lines.length && (
        <div className="sticky left-0 flex items-center gap-3 border-t border-line p-4 text-sm text-soft">
          {shown.length.toLocaleString('en')} of {lines.length.toLocaleString('en')} lines
          <Button small onClick={() => setShownCount(shownCount + 10_000)}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
