import { Check, RotateCw, X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { NameText } from '../ui/name-text.tsx';
import { Progress } from '../ui/progress.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { formatBytes } from './format.ts';
import { OverwriteDialog } from './overwrite-dialog.tsx';
import { nameOf } from './paths.ts';
import { isOpen, mayRetry, type Upload, type UploadQueue } from './upload-queue.ts';

const STAY_MS = 4_000;
/** Limits the lines on the page: a browser that renders thousands does nothing else. */
const MAX_LINES = 60;

/** Shows the uploads, their progress and their errors. Closes by itself when all have succeeded. */
export function UploadPanel({ queue }: { queue: UploadQueue }) {
  const items = useSyncExternalStore(queue.subscribe, queue.items);
  const open = items.filter(isOpen).length;
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
  const count = (number: number) => number.toLocaleString('en');
  const title =
    open > 0
      ? `Uploading ${count(open)} of ${count(items.length)}`
      : bad > 0
        ? `${count(bad)} not uploaded`
        : `${count(done)} uploaded`;
  const lines = linesOf(items);
  return (
    <>
      <section
        aria-label="Uploads"
        className="fixed right-4 bottom-4 z-40 w-80 max-w-[calc(100vw-2rem)] animate-rise rounded-lg border border-line bg-raised shadow-float max-md:bottom-20"
      >
        <div className="flex min-h-11 items-center gap-1 border-b border-line pr-1.5 pl-4">
          <p role="status" className="mr-auto text-sm font-medium tabular-nums">
            {title}
          </p>
          {open > 1 && (
            <Button small look="quiet" onClick={queue.cancelAll}>
              Cancel all
            </Button>
          )}
          {open === 0 && bad > 1 && items.some(mayRetry) && (
            <Button small look="quiet" onClick={queue.retryAll}>
              Try all again
            </Button>
          )}
          {open === 0 && (
            <IconButton label="Close the list of uploads" className="size-8" onClick={queue.clear}>
              <X size={16} />
            </IconButton>
          )}
        </div>
        {open > 0 && items.length > 1 && (
          <div className="px-4 pt-3 pb-1">
            <Progress value={shareOf(items)} label="All uploads" />
          </div>
        )}
        {/* Scrolls when long, so the keyboard must reach it. */}
        <ul tabIndex={lines.length > 4 ? 0 : undefined} className="grid max-h-60 overflow-y-auto py-1">
          {lines.map((item) => (
            <UploadLine key={item.id} item={item} queue={queue} />
          ))}
          {lines.length < items.length && (
            <li className="px-4 py-2 text-xs text-soft">and {count(items.length - lines.length)} more</li>
          )}
        </ul>
      </section>
      {asking && (
        <OverwriteDialog
          key={`${asking.id} ${asking.question}`}
          upload={asking}
          others={othersWith(items, asking)}
          onDecide={(choice, forAll) => queue.decide(asking.id, choice, forAll)}
          onClose={() => queue.cancel(asking.id)}
        />
      )}
    </>
  );
}

/** How many others may meet the same question. */
function othersWith(items: readonly Upload[], asking: Upload): number {
  const mayAsk = ({ state, question }: Upload) =>
    state === 'waiting' || (state === 'asking' && question === asking.question);
  return items.filter(mayAsk).length - 1;
}

/** Chooses the lines to show: uploads in progress, failed or waiting for an answer first, then those that wait. */
function linesOf(items: readonly Upload[]): readonly Upload[] {
  if (items.length <= MAX_LINES) return items;
  const first = items.filter(({ state }) => state === 'sending' || state === 'failed' || state === 'asking');
  const rest = items.filter(({ state }) => state === 'waiting');
  return [...first, ...rest, ...items.filter((item) => !first.includes(item) && item.state !== 'waiting')].slice(
    0,
    MAX_LINES,
  );
}

/** How much of all is done, by bytes; a file is worth a little even when it is empty. */
function shareOf(items: readonly Upload[]): number {
  let sent = 0;
  let whole = 0;
  for (const { file, state, sentBytes } of items) {
    const size = (file?.size ?? 0) + 1_000;
    whole += size;
    if (state === 'sending') sent += Math.min(size, sentBytes);
    else if (state !== 'waiting' && state !== 'asking') sent += size;
  }
  return whole === 0 ? 1 : sent / whole;
}

function UploadLine({ item, queue }: { item: Upload; queue: UploadQueue }) {
  const name = nameOf(item.path);
  const label = spelledName(name);
  const size = item.file?.size ?? 0;
  return (
    <li className="flex min-h-11 items-center gap-2 py-1 pr-1.5 pl-4">
      <div className="grid min-w-0 grow gap-1">
        <p className="truncate text-sm">
          <NameText name={name} />
        </p>
        {item.state === 'sending' ? (
          <Progress value={size === 0 ? 1 : item.sentBytes / size} label={`Uploading ${label}`} />
        ) : (
          <p className={item.state === 'failed' ? 'text-xs text-bad' : 'text-xs text-soft'}>{wordsFor(item)}</p>
        )}
      </div>
      {mayRetry(item) && (
        <IconButton label={`Try ${label} again`} className="size-8" onClick={() => queue.retry(item.id)}>
          <RotateCw size={16} />
        </IconButton>
      )}
      {item.state === 'done' && <Check aria-hidden="true" size={17} className="mx-2 text-accent" />}
      {(item.state === 'sending' || item.state === 'waiting') && (
        <IconButton label={`Cancel ${label}`} className="size-8" onClick={() => queue.cancel(item.id)}>
          <X size={16} />
        </IconButton>
      )}
    </li>
  );
}

function wordsFor({ state, problem, file, question }: Upload): string {
  if (state === 'done') return file ? formatBytes(file.size) : 'Folder';
  if (state === 'failed') return spelledName(problem ?? 'The upload failed. Try again.');
  if (state === 'asking')
    return question === 'not_undoable' ? 'The trash cannot keep the old file' : 'A file of this name is there';
  return { waiting: 'Waiting', cancelled: 'Cancelled', skipped: 'Skipped', sending: '' }[state];
}
