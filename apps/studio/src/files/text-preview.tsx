import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo } from 'react';
import { type FileEntry, textQuery } from '../api/files.ts';
import { ApiError } from '../api/request.ts';
import { loadable } from '../routing/loadable.tsx';
import { RowTable } from '../runs/row-table.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/state.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../ui/tabs.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { firstRows, isDelimited } from './delimited-text.ts';
import { formatBytes } from './format.ts';
import { LineText } from './line-text.tsx';
import { DownloadLink, NoPreview } from './no-preview.tsx';
import { kindOf, MAX_TEXT_BYTES, nameOf } from './paths.ts';

const MarkdownText = loadable(() => import('./markdown-text.tsx').then((m) => m.MarkdownText));
void MarkdownText.preload();

/** A page with a hundred thousand cells does not answer for seconds. */
const TABLE_LIMITS = { rows: 500, columns: 100, cells: 10_000 };

/** A file to look at. */
export interface Previewed {
  path: string;
  /** The entry, unless the server does not give it: tells its size before it is fetched. */
  entry: FileEntry | undefined;
  line: number | undefined;
}

/** A text: as a document or a table where it is one, and with the numbers of its lines. Of a large one the beginning. */
export function TextPreview({ path, entry, line, under }: Previewed & { under: number }) {
  const { data, error, isPending, refetch } = useQuery(
    textQuery(path, `${entry?.modifiedAt}-${entry?.size}`, MAX_TEXT_BYTES),
  );
  if (isPending)
    return (
      <div className="p-5">
        <SkeletonLines label="Loading the file" lines={9} />
      </div>
    );
  if (error instanceof ApiError && error.code === 'not_text') return <NoPreview path={path} why={error.message} />;
  if (data === undefined)
    return <ErrorState title="The file cannot be shown" error={error} onRetry={() => void refetch()} />;
  const { text, cutFrom } = data;
  const label = `Text of ${spelledName(nameOf(path))}`;
  if (text === '') return <p className="p-5 text-soft">The file is empty.</p>;
  const lines = <LineText text={text} label={label} mark={line} />;
  const views = { startsAtLine: line !== undefined, lines };
  return (
    <div className="flex h-full flex-col">
      {cutFrom !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line bg-sunken px-4 py-2 text-sm">
          <p>
            Only the beginning, {formatBytes(MAX_TEXT_BYTES)} of {formatBytes(cutFrom)}.
          </p>
          <DownloadLink path={path} small />
        </div>
      )}
      <div className="min-h-0 grow">
        {kindOf(path) === 'markdown' ? (
          <Views {...views} name="Read" source="Source" className="p-5">
            <Suspense fallback={<SkeletonLines label="Loading the document" lines={9} />}>
              <MarkdownText path={path} text={text} under={under} />
            </Suspense>
          </Views>
        ) : isDelimited(path) ? (
          <Views {...views} name="Table" source="Text" className="overflow-x-auto text-sm">
            <TableOf text={text} path={path} />
          </Views>
        ) : (
          lines
        )}
      </div>
    </div>
  );
}

function TableOf({ text, path }: { text: string; path: string }) {
  const { columns, rows, hasMore, moreColumns } = useMemo(() => firstRows(text, path, TABLE_LIMITS), [text, path]);
  const more = hasMore ? `The first ${rows.length} rows. The tab Text has more.` : undefined;
  return (
    <>
      {moreColumns > 0 && (
        <p className="border-b border-line px-3 py-1.5 text-soft">
          First {columns.length} of {(columns.length + moreColumns).toLocaleString('en')} columns. The tab Text has
          more.
        </p>
      )}
      <RowTable columns={columns} rows={rows} {...(more && { more })} showsUnseen={false} />
    </>
  );
}

/** A text as what it is, and its lines. */
function Views({
  name,
  source,
  startsAtLine,
  lines,
  className,
  children,
}: {
  name: string;
  source: string;
  startsAtLine: boolean;
  lines: ReactNode;
  className: string;
  children: ReactNode;
}) {
  return (
    <Tabs defaultValue={startsAtLine ? 'source' : 'read'} className="flex h-full flex-col">
      <TabList aria-label="View" className="px-3">
        <Tab value="read">{name}</Tab>
        <Tab value="source">{source}</Tab>
      </TabList>
      <TabPanel
        value="read"
        tabIndex={0}
        className={`min-h-0 grow overflow-y-auto focus-visible:-outline-offset-2 ${className}`}
      >
        {children}
      </TabPanel>
      <TabPanel value="source" tabIndex={-1} className="min-h-0 grow">
        {lines}
      </TabPanel>
    </Tabs>
  );
}
