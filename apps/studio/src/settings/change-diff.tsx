import { useQuery } from '@tanstack/react-query';
import { changeDiffQuery, type FileDiff } from '../api/activity.ts';
import { cn } from '../ui/class-names.ts';
import { NameText } from '../ui/name-text.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';

/** The lines that a change added to files and removed from them. */
export function ChangeDiff({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(changeDiffQuery(id));
  if (!data) return <NotLoaded what="differences" error={error} onRetry={() => void refetch()} lines={3} isInBody />;
  return (
    <div className="grid grid-cols-1 gap-3">
      {data.files.length === 0 && <p className="text-sm text-soft">The change has no files with content.</p>}
      {data.files.map((file) => (
        <FileLines key={`${file.kind} ${file.path}`} file={file} />
      ))}
      {data.moreFiles > 0 && (
        <p className="text-sm text-soft">
          {data.moreFiles} more {data.moreFiles === 1 ? 'file is' : 'files are'} not shown.
        </p>
      )}
    </div>
  );
}

function FileLines({ file }: { file: FileDiff }) {
  const { path, to, diff, added, removed, isCut, problem } = file;
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3 bg-sunken px-3 py-1.5 text-sm">
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <NameText name={to === null ? path : `${path} → ${to}`} />
        </span>
        <span className="text-soft">{problem === null ? countText(file) : null}</span>
      </figcaption>
      {problem !== null && <p className="border-t border-line px-3 py-2 text-sm text-soft">{problem}.</p>}
      {diff !== null && diff !== '' && <DiffLines diff={diff} label={`Differences of ${path}`} />}
      {isCut && (
        <p className="border-t border-line px-3 py-2 text-sm text-soft">
          The list is cut: it has {added + removed} changed lines in all.
        </p>
      )}
    </figure>
  );
}

function countText({ kind, diff, added, removed }: FileDiff): string {
  if (kind === 'move') return 'Same content';
  if (diff === '') return kind === 'update' ? 'Same text' : 'Empty';
  return [added > 0 && `+${added}`, removed > 0 && `−${removed}`].filter(Boolean).join(' ');
}

const MARKS = { '+': 'Added', '-': 'Removed' } as const;

/** The hunks of a unified diff, without their headers: a rule is between two of them. */
function DiffLines({ diff, label }: { diff: string; label: string }) {
  const lines = diff.replace(/\n$/, '').split('\n');
  const changed = lines.filter((line) => /^[+-]/.test(line));
  const showsReturns = new Set(changed.map((line) => line.endsWith('\r'))).size > 1;
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="max-h-80 overflow-auto border-t border-line focus-visible:-outline-offset-2"
    >
      <ol className="w-max min-w-full py-1 font-mono text-xs leading-5 [tab-size:4]">
        {lines.map((line, index) => {
          const mark = line.slice(0, 1);
          if (mark === '@') return index > 0 && <li key={index} aria-hidden="true" className="my-1 h-px bg-line" />;
          return (
            <li
              key={index}
              className={cn(
                'flex min-h-5 px-3 whitespace-pre',
                mark === '+' && 'bg-accent-soft text-accent-strong',
                mark === '-' && 'bg-bad-soft text-bad',
                mark === '\\' && 'text-soft italic',
              )}
            >
              <span aria-hidden="true" className="w-4 shrink-0 select-none">
                {mark === '-' ? '−' : mark === '+' ? '+' : ''}
              </span>
              {mark in MARKS && <span className="sr-only">{MARKS[mark as '+' | '-']}: </span>}
              {mark === '\\' ? (
                'The file does not end with a line break'
              ) : (
                <NameText name={line.slice(1).replace(/\r$/, '')} hasLines />
              )}
              {showsReturns && line.endsWith('\r') && <NameText name={'\r'} />}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
