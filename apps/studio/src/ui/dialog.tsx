import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button, IconButton } from './button.tsx';
import { cn } from './class-names.ts';

/**
 * A modal dialog of the browser: it keeps the focus, closes on Escape, hides the rest of the page from screen readers, and returns
 * the focus. (A scripted dialog would insert a style element, which the Content-Security-Policy refuses.)
 */
export function Dialog({
  open,
  title,
  about,
  onClose,
  children,
  wide = false,
}: {
  open: boolean;
  title: ReactNode;
  about?: ReactNode;
  /** Absent where the user has to decide: then Escape does nothing. */
  onClose?: () => void;
  children: ReactNode;
  wide?: boolean;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const isShown = useRef(false);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || !open) return undefined;
    const before = document.activeElement;
    dialog.showModal();
    isShown.current = true;
    dialog.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      const now = document.activeElement;
      isShown.current = false;
      dialog.close();
      // The page that took its place has the focus already.
      if (now instanceof HTMLElement && now !== document.body && !dialog.contains(now)) return now.focus();
      // The element that opened the dialog may no longer exist; then focus the element that the view chose.
      const home = before?.isConnected ? before : document.querySelector('[data-focus-home]');
      if (home instanceof HTMLElement) home.focus();
    };
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      aria-describedby={about ? `${id}-about` : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      // Chromium closes a dialog at the second Escape in a row, whatever its listeners do.
      onClose={(event) => {
        // In development, React closes and opens it once more before this event.
        if (!isShown.current || event.currentTarget.open) return;
        event.currentTarget.showModal();
        onClose?.();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape' && !onClose) event.preventDefault();
      }}
      className={cn(
        'm-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] overflow-y-auto rounded-xl border border-line bg-raised p-5 text-ink shadow-float',
        'animate-rise backdrop:bg-veil',
        wide ? 'max-w-2xl' : 'max-w-md',
      )}
    >
      <div className="flex items-start justify-between gap-4">
        <h2 id={id} className="text-lg font-semibold tracking-tight [overflow-wrap:anywhere]">
          {title}
        </h2>
        {onClose && (
          <IconButton label="Close" className="-mt-1.5 -mr-2" onClick={onClose}>
            <X size={18} />
          </IconButton>
        )}
      </div>
      {about && (
        <p id={`${id}-about`} className="mt-1 text-soft [overflow-wrap:anywhere]">
          {about}
        </p>
      )}
      <div className="mt-4">{children}</div>
    </dialog>
  );
}

/** The buttons of a dialog: the main action is last, and on top on narrow screens. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-row-reverse flex-wrap justify-start gap-2 max-sm:*:grow">{children}</div>;
}

/** The buttons of a form in a dialog: the one that submits it, and Cancel. */
export function FormFoot({ action, busy, onClose }: { action: ReactNode; busy: boolean; onClose: () => void }) {
  return (
    <DialogFoot>
      <Button type="submit" look="primary" busy={busy}>
        {action}
      </Button>
      <Button onClick={onClose}>Cancel</Button>
    </DialogFoot>
  );
}
