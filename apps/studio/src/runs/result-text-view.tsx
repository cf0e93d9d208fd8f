import { Suspense } from 'react';
import { hasTable, isJsonText, withoutJsonFences } from '../canvas/result-text.ts';
import { loadable } from '../routing/loadable.tsx';
import { cn } from '../ui/class-names.ts';

const MarkdownText = loadable(() => import('../files/markdown-text.tsx').then((m) => m.MarkdownText));

/** The text of a run's result: as Markdown where it has a table, as code where it is JSON, else as it is. */
export function ResultTextView({ text, label, className }: { text: string; label: string; className?: string }) {
  const shown = withoutJsonFences(text);
  const look = 'max-h-96 overflow-y-auto [overflow-wrap:anywhere]';
  if (hasTable(text))
    return (
      <div tabIndex={0} role="region" aria-label={label} className={cn(look, className)}>
        <Suspense fallback={<pre>{text}</pre>}>
          <MarkdownText path="" text={text} under={3} />
        </Suspense>
      </div>
    );
  return (
    <p
      tabIndex={0}
      role="region"
      aria-label={label}
      className={cn(look, 'whitespace-pre-wrap', className, isJsonText(shown) && 'font-mono text-sm')}
    >
      {shown}
    </p>
  );
}
