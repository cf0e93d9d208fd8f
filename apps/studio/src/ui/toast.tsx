import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createListeners } from '../listeners.ts';
import { Button, IconButton } from './button.tsx';
import { cn } from './class-names.ts';
import { sentenceOf } from './state.tsx';

/** A short notification, optionally with an action such as Undo. */
export interface Toast {
  text: ReactNode;
  tone?: 'plain' | 'bad';
  action?: { label: string; run: () => void };
  /** Milliseconds until it disappears; paused while it has the pointer or the focus. */
  stayMs?: number;
}

interface Shown extends Toast {
  id: number;
}

let shown: readonly Shown[] = [];
let lastId = 0;
const { subscribe, notify } = createListeners();

function change(next: readonly Shown[]) {
  shown = next;
  notify();
}

/** Shows a notification at the edge of the page. Returns a function that removes it. At most three are visible. */
export function toast(message: Toast): () => void {
  lastId += 1;
  const id = lastId;
  change([...shown.slice(-2), { ...message, id }]);
  return () => change(shown.filter((other) => other.id !== id));
}

/** Shows why something failed. */
export const toastError = (error: unknown): void => void toast({ tone: 'bad', text: sentenceOf(error) });

/** Removes all notifications. They may name what only the user who leaves may see. */
export const dismissToasts = (): void => change([]);

/** The region of notifications, one per page. Announced politely; reachable by keyboard at the end of the page. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <section
      aria-label="Notifications"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 grid justify-items-center gap-2 max-md:top-16 max-md:bottom-auto"
    >
      <div role="status" className="contents">
        {toasts.map((message) => (
          <ToastCard
            key={message.id}
            message={message}
            onGone={() => change(shown.filter((t) => t.id !== message.id))}
          />
        ))}
      </div>
    </section>
  );
}

/** One notification. */
export function ToastCard({ message, onGone }: { message: Toast; onGone: () => void }) {
  const [held, setHeld] = useState(false);
  const gone = useRef(onGone);
  gone.current = onGone;
  const stayMs = message.stayMs ?? (message.action ? 10_000 : 5_000);
  useEffect(() => {
    if (held || stayMs === Number.POSITIVE_INFINITY) return undefined;
    const timer = setTimeout(() => gone.current(), stayMs);
    return () => clearTimeout(timer);
  }, [held, stayMs]);
  return (
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={cn(
        'pointer-events-auto flex w-fit max-w-full animate-rise items-center gap-3 rounded-lg border bg-raised py-1.5 pr-1.5 pl-4 shadow-float',
        message.tone === 'bad' ? 'border-bad/50' : 'border-line',
      )}
    >
      <p className={cn('min-w-0 py-1 text-sm [overflow-wrap:anywhere]', message.tone === 'bad' && 'text-bad')}>
        {message.text}
      </p>
      {message.action && (
        <Button
          small
          look="quiet"
          className="text-accent-strong!"
          onClick={() => {
            message.action?.run();
            onGone();
          }}
        >
          {message.action.label}
        </Button>
      )}
      <IconButton label="Dismiss" className="size-8" onClick={onGone}>
        <X size={16} />
      </IconButton>
    </div>
  );
}
