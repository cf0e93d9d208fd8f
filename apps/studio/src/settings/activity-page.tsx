import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { FileDiff, History, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { type Change, type ChangeFilter, changePagesQuery } from '../api/activity.ts';
import { undoChange } from '../api/files.ts';
import { Link } from '../routing/link.tsx';
import { usePlace } from '../routing/location.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card, CardHead } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { NameText } from '../ui/name-text.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { ShowMore } from '../ui/show-more.tsx';
import { EmptyState } from '../ui/state.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { formatWhen } from '../files/format.ts';
import { folderOf } from '../files/paths.ts';
import { toFilesPlace } from '../files/place-of-files.ts';
import { ChangeDiff } from './change-diff.tsx';
import { changedFile, changeSource, changeText } from './change-text.ts';
import { useConfirmed } from './use-confirmed.ts';

/** The changes of the user's files, of one run or of one file: what, who and when, and their undo. */
export function ActivityPage() {
  const client = useQueryClient();
  const { query: asked } = usePlace();
  const filter = { run: asked.get('run') ?? undefined, path: asked.get('path') ?? undefined };
  const query = useInfiniteQuery(changePagesQuery(filter));
  const changes = query.data?.pages.flatMap((page) => page.changes);
  const undo = useConfirmed({
    act: ({ id }: Change) => undoChange(id),
    done: 'Undone.',
    refresh: () => client.invalidateQueries({ queryKey: ['files'] }),
  });
  return (
    <Card aria-label="Recent changes">
      <Head {...filter} />
      {changes ? (
        <ul className="border-t border-line">
          {changes.length === 0 && (
            <li>
              <NoChanges {...filter} />
            </li>
          )}
          {changes.map((change) => (
            <ChangeLine key={change.id} change={change} onUndo={() => undo.ask(change)} />
          ))}
        </ul>
      ) : (
        <NotLoaded what="changes" error={query.error} onRetry={() => void query.refetch()} lines={4} />
      )}
      {query.hasNextPage && (
        <div className="grid border-t border-line p-3">
          <ShowMore query={query} small />
        </div>
      )}
      {undo.item && (
        <ConfirmDialog
          title="Undo this change?"
          about={
            <>
              <ChangeText change={undo.item} />, {formatWhen(undo.item.time)}.{' '}
              {undo.item.kind === 'create'
                ? 'This deletes what it created.'
                : 'This brings back what was there before.'}{' '}
              An undo cannot be undone.
            </>
          }
          action="Undo"
          look="primary"
          wide
          {...undo.dialog}
        >
          <ChangeDiff id={undo.item.id} />
        </ConfirmDialog>
      )}
    </Card>
  );
}

function Head({ run, path }: ChangeFilter) {
  if (run === undefined && path === undefined)
    return (
      <CardHead
        title="Recent changes"
        about="Changes to your files, newest first, by you, your agents and your programs."
      />
    );
  return (
    <CardHead
      title={path === undefined ? 'Changes of one run' : <>Changes of {<NameText name={path} />}</>}
      about={
        path === undefined
          ? 'The changes that this run of a flow made to your files.'
          : 'Changes under this path, by you, your agents and your programs.'
      }
      action={
        <Link to="/settings/activity" className={buttonClass('quiet', true)}>
          Show all changes
        </Link>
      }
    />
  );
}

function NoChanges({ run, path }: ChangeFilter) {
  const isAll = run === undefined && path === undefined;
  return (
    <EmptyState
      icon={<History size={22} />}
      title={isAll ? 'No changes yet' : path === undefined ? 'This run changed no files' : 'No changes under this path'}
      action={
        <Link to="/files" className={buttonClass()}>
          Go to your files
        </Link>
      }
    >
      {isAll
        ? 'Each change is listed here with who made it. You can undo changes of files.'
        : 'Or they are so old that the log does not have them any more.'}
    </EmptyState>
  );
}

function ChangeLine({ change, onUndo }: { change: Change; onUndo: () => void }) {
  const { id, time, undo, undoProblem, paths, kind } = change;
  const [isOpen, setIsOpen] = useState(false);
  const hasContent = kind !== null && kind !== 'mkdir' && kind !== 'move';
  const name = spelledName(paths[0] ?? '');
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-3 last:border-0">
      <div className="min-w-0 flex-[1_1_14rem]">
        <p className="[overflow-wrap:anywhere]">
          <ChangeText change={change} isLinked />
        </p>
        <p className="text-sm text-soft [overflow-wrap:anywhere]">
          <ChangeSource change={change} /> · <span className="whitespace-nowrap">{formatWhen(time)}</span>
          {undoProblem !== null && change.tool !== 'undo' && ` · No undo: ${undoProblem}.`}
        </p>
      </div>
      <div className="flex items-center gap-2">
        {hasContent && (
          <Button
            small
            look="quiet"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Hide' : 'Show'} the diff of ${name}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            <FileDiff size={16} aria-hidden="true" /> {isOpen ? 'Hide diff' : 'Show diff'}
          </Button>
        )}
        {undo === 'possible' && (
          <Button small onClick={onUndo} aria-label={`Undo the change of ${name}`}>
            <Undo2 size={16} aria-hidden="true" /> Undo
          </Button>
        )}
        {undo === 'done' && <Badge>Undone</Badge>}
      </div>
      {isOpen && (
        <div className="min-w-0 basis-full">
          <ChangeDiff id={id} />
        </div>
      )}
    </li>
  );
}

function ChangeText({ change, isLinked = false }: { change: Change; isLinked?: boolean }) {
  const { verb, object } = changeText(change);
  const file = isLinked ? changedFile(change) : undefined;
  const name = <NameText name={object} />;
  return (
    <>
      <span className="text-soft">{verb}</span>{' '}
      {file === undefined ? (
        name
      ) : (
        <Link
          to={toFilesPlace({ dir: folderOf(file), file })}
          className="underline decoration-edge underline-offset-2 hovered:decoration-current"
        >
          {name}
        </Link>
      )}
      {change.morePaths > 0 && ` and ${change.morePaths} more`}
    </>
  );
}

function ChangeSource({ change }: { change: Change }) {
  return changeSource(change).map((part, index) => {
    if (typeof part === 'string') return part;
    const { name, to } = part;
    if (to === undefined)
      return (
        <span key={index} className="text-ink">
          <NameText name={name} />
        </span>
      );
    return (
      <Link
        key={index}
        to={to}
        aria-label={`Run of ${spelledName(name)}`}
        className="text-accent-strong underline underline-offset-2"
      >
        <NameText name={name} />
      </Link>
    );
  });
}
