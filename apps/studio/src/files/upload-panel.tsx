import { Check, RotateCw, X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { IconButton } from '../ui/button.tsx';
import { Progress } from '../ui/progress.tsx';
import { formatBytes } from './format.ts';
import { OverwriteDialog } from './overwrite-dialog.tsx';
import { nameOf } from './paths.ts';
import type { Upload, UploadQueue } from './upload-queue.ts';

const STAY_MS = 4_000;

/** What is on its way, how far it is, and what went wrong; goes away by itself when all went well. */
export function UploadPanel({ queue }: { queue: UploadQueue }) {
  const items = useSyncExternalStore(queue.subscribe, queue.items);
  const open = items.filter(({ state }) => state === 'waiting' || state === 'sending' || state === 'asking').length;
  const bad = items.filter(({ state }) => state === 'failed').length;
  const done = items.filter(({ state }) => state === 'done').length;
  useEffect(() => {
    if (open > 0) {
      const warn = (event: BeforeUnloadEvent) => event.preventDefault();
      addEventListener('beforeunload', warn);
      return () => removeEventListener('beforeunload', warn);
    }
    if (items.length === 0 || bad > 0) return undefined;
    const timer = setTimeout(queue.clear, STAY_MS);
    return () => clearTimeout(timer);
  }, [open, bad, items.length, queue]);
  const asking = items.find(({ state }) => state === 'asking');
  if (items.length === 0) return null;
  const title =
    open > 0 ? `Uploading ${open} of ${items.length}` : bad > 0 ? `${bad} not uploaded` : `${done} uploaded`;
  return (
    <>
      <section
        aria-label="Uploads"
        className="fixed right-4 bottom-4 z-40 w-80 max-w-[calc(100vw-2rem)] animate-rise rounded-lg border border-line bg-raised shadow-float max-md:bottom-20"
      >
        <div className="flex min-h-11 items-center justify-between border-b border-line pr-1.5 pl-4">
          <p role="status" className="text-sm font-medium">
            {title}
          </p>
          {open === 0 && (
            <IconButton label="Close the list of uploads" className="size-8" onClick={queue.clear}>
              <X size={16} />
            </IconButton>
          )}
        </div>
        {/* Scrolls when long, so the keyboard must reach it. */}
        <ul tabIndex={items.length > 4 ? 0 : undefined} className="grid max-h-60 overflow-y-auto py-1">
          {items.map((item) => (
            <UploadLine key={item.id} item={item} queue={queue} />
          ))}
        </ul>
      </section>
      {asking && (
        <OverwriteDialog
          key={asking.id}
          upload={asking}
          others={items.filter(({ state }) => state === 'asking' || state === 'waiting').length - 1}
          onDecide={(choice, forAll) => queue.decide(asking.id, choice, forAll)}
          onClose={() => queue.cancel(asking.id)}
        />
      )}
    </>
  );
}

function UploadLine({ item, queue }: { item: Upload; queue: UploadQueue }) {
  const name = nameOf(item.path);
  const isOpen = item.state === 'sending' || item.state === 'waiting';
  return (
    <li className="flex min-h-11 items-center gap-2 py-1 pr-1.5 pl-4">
      <div className="grid min-w-0 grow gap-1">
        <p className="truncate text-sm">{name}</p>
        {item.state === 'sending' ? (
          <Progress value={item.file.size === 0 ? 1 : item.sentBytes / item.file.size} label={`Uploading ${name}`} />
        ) : (
          <p className={item.state === 'failed' ? 'text-xs text-bad' : 'text-xs text-soft'}>{wordsFor(item)}</p>
        )}
      </div>
      {item.state === 'failed' && (
        <IconButton label={`Try ${name} again`} className="size-8" onClick={() => queue.retry(item.id)}>
          <RotateCw size={16} />
        </IconButton>
      )}
      {item.state === 'done' && <Check aria-hidden="true" size={17} className="mx-2 text-accent" />}
      {isOpen && (
        <IconButton label={`Cancel ${name}`} className="size-8" onClick={() => queue.cancel(item.id)}>
          <X size={16} />
        </IconButton>
      )}
    </li>
  );
}

function wordsFor({ state, problem, file }: Upload): string {
  if (state === 'done') return formatBytes(file.size);
  if (state === 'failed') return problem ?? 'It did not work.';
  if (state === 'asking') return 'A file of this name is there';
  return { waiting: 'Waiting', cancelled: 'Cancelled', skipped: 'Skipped', sending: '' }[state];
}
