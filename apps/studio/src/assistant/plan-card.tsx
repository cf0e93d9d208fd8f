import { RotateCcw } from 'lucide-react';
import { MarkdownText } from '../files/markdown-text.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import type { ChatParts } from './assistant-flow.ts';
import type { PlanOffer } from './turn-view.ts';

/** A plan: continue, or change it with the next message. */
export function PlanCard({
  plan: { id, markdown, flow, status },
  turnKey,
  store,
}: Pick<ChatParts, 'store'> & { plan: PlanOffer; turnKey: string }) {
  const isOpen = status === 'pending' || status === 'refining';
  return (
    <section
      aria-label="Plan"
      className={cn(
        'grid grid-cols-1 gap-2.5 rounded-lg border bg-surface p-3',
        status === 'refining' ? 'border-dashed border-edge' : 'border-line',
      )}
    >
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-semibold">{status === 'refining' ? 'Refining plan' : 'Plan'}</h3>
        {status === 'refining' && <span className="text-xs text-soft">Send your changes…</span>}
        {status === 'approved' && <Badge tone="good">Approved</Badge>}
        {status === 'dismissed' && <span className="text-xs text-soft line-through">Dismissed</span>}
      </div>
      <div className={status === 'dismissed' ? 'text-soft' : ''}>
        <MarkdownText path="" text={markdown} under={3} />
      </div>
      {isOpen && flow !== undefined && (
        <p className="text-xs text-soft">The dashed outlines on the canvas show this plan. Nothing is added yet.</p>
      )}
      {isOpen && (
        <div className="flex flex-wrap gap-2">
          <Button small look="primary" onClick={() => void store.approvePlan(turnKey)}>
            Continue
          </Button>
          {status === 'pending' ? (
            <Button small look="quiet" onClick={() => store.show({ kind: 'refining', key: turnKey })}>
              Dismiss
            </Button>
          ) : (
            <Button small look="quiet" onClick={() => void store.decide(turnKey, id, 'dismiss')}>
              <RotateCcw size={14} aria-hidden="true" /> Reset
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
