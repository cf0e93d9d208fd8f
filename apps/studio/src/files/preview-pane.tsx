import { ArrowLeft, Download, FilePen, History, X } from 'lucide-react';
import { changesPath } from '../api/activity.ts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { contentUrl, type FileEntry } from '../api/files.ts';
import { Link } from '../routing/link.tsx';
import { IconButton } from '../ui/button.tsx';
import { NameText } from '../ui/name-text.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { FileIcon } from './file-icon.tsx';
import { formatBytes, formatWhen } from './format.ts';
import { NoPreview } from './no-preview.tsx';
import { isEditable, kindOf, nameOf } from './paths.ts';
import { type Previewed, TextPreview } from './text-preview.tsx';

const ICON_LINK = 'inline-grid size-9 shrink-0 place-items-center rounded-md hovered:bg-hover';

/** A file to look at, beside its folder; instead of it on a narrow page. */
export function PreviewPane({
  onEdit,
  onClose,
  ...previewed
}: Previewed & {
  /** Absent where the files are read-only. */
  onEdit: ((entry: FileEntry) => void) | undefined;
  onClose: () => void;
}) {
  const { path, entry } = previewed;
  const name = nameOf(path);
  const isNarrow = useNarrow();
  // There the folder is hidden, and the title of the page with it.
  const Title = isNarrow ? 'h1' : 'h2';
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where the folder gives way to the file, the focus would be lost with it.
    if (isNarrow) pane.current?.focus();
  }, [path, isNarrow]);
  useEscape(onClose);
  const facts = [
    entry?.size !== null && entry ? formatBytes(entry.size ?? 0) : '',
    entry?.modifiedAt ? `changed ${formatWhen(entry.modifiedAt)}` : '',
  ];
  return (
    <section
      ref={pane}
      tabIndex={-1}
      aria-label={`Preview of ${spelledName(name)}`}
      className="flex h-full min-w-0 flex-col bg-surface outline-none"
    >
      <div className="flex items-center gap-2.5 border-b border-line py-2 pr-2 pl-4 max-lg:pl-2">
        <IconButton label="Back to the folder" className="lg:hidden" onClick={onClose}>
          <ArrowLeft size={18} />
        </IconButton>
        <FileIcon name={name} type="file" />
        <div className="min-w-0 grow">
          <Title className="truncate font-semibold">
            <NameText name={name} />
          </Title>
          <p className="truncate text-xs text-soft">{facts.filter(Boolean).join(' · ')}</p>
        </div>
        {entry && onEdit && isEditable(entry) && (
          <IconButton label={`Edit ${spelledName(name)}`} onClick={() => onEdit(entry)}>
            <FilePen size={18} />
          </IconButton>
        )}
        <Link
          to={changesPath({ path })}
          aria-label={`Changes of ${spelledName(name)}`}
          title="Changes"
          className={ICON_LINK}
        >
          <History size={18} aria-hidden="true" />
        </Link>
        <a
          href={contentUrl(path, { download: true })}
          download={name}
          aria-label={`Download ${spelledName(name)}`}
          title="Download"
          className={ICON_LINK}
        >
          <Download size={18} aria-hidden="true" />
        </a>
        <IconButton label="Close the preview" className="max-lg:hidden" onClick={onClose}>
          <X size={18} />
        </IconButton>
      </div>
      <div className="min-h-0 grow">
        {kindOf(name) === 'image' ? (
          <Picture key={path} {...previewed} />
        ) : kindOf(name) === 'video' || kindOf(name) === 'audio' ? (
          <Player key={path} {...previewed} />
        ) : (
          <TextPreview key={path} {...previewed} under={isNarrow ? 1 : 2} />
        )}
      </div>
    </section>
  );
}

/** Escape anywhere on the page, unless an element handled it. */
function useEscape(onEscape: () => void) {
  const now = useRef(onEscape);
  now.current = onEscape;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (!(event.target as HTMLElement).closest('input, dialog, [role=menu]')) now.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Whether the page is too narrow for a folder and a file side by side. */
function useNarrow(): boolean {
  const [query] = useState(() => matchMedia('(width < 64rem)'));
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => query.matches,
  );
}

function Picture({ path, entry }: Previewed) {
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading');
  if (state === 'broken') return <NoPreview path={path} why="The browser cannot show this picture." />;
  return (
    <div className="croft-checks grid h-full place-items-center overflow-auto p-4">
      <img
        src={`${contentUrl(path)}&v=${encodeURIComponent(entry?.modifiedAt ?? '')}`}
        alt={spelledName(nameOf(path))}
        onLoad={() => setState('shown')}
        onError={() => setState('broken')}
        className="max-h-full max-w-full object-contain shadow-card"
      />
    </div>
  );
}

/** Sound and film: fetched in parts as it plays, and seeks. */
function Player({ path, entry }: Previewed) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <NoPreview path={path} why="This browser cannot play it." />;
  const player = {
    src: `${contentUrl(path)}&v=${encodeURIComponent(entry?.modifiedAt ?? '')}`,
    'aria-label': spelledName(nameOf(path)),
    controls: true,
    preload: 'metadata',
    onError: () => setBroken(true),
  };
  return (
    <div className="grid h-full grid-cols-1 place-items-center overflow-auto p-4">
      {kindOf(path) === 'video' ? (
        <video {...player} className="max-h-full max-w-full rounded-md shadow-card" />
      ) : (
        <audio {...player} className="w-full max-w-md" />
      )}
    </div>
  );
}
