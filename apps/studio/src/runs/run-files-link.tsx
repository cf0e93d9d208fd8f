import { useQuery } from '@tanstack/react-query';
import { changesPath, recentChangesQuery } from '../api/activity.ts';
import { runFilesText } from '../assistant/run-files.ts';
import { Link } from '../routing/link.tsx';

/** How many files a run changed, and the way to see and undo these changes; nothing where it changed none. */
export function RunFilesLink({ run }: { run: string }) {
  const { data } = useQuery(recentChangesQuery({ run }));
  const files = data && runFilesText(data.changes);
  if (files === undefined) return null;
  return (
    <Link to={changesPath({ run })} className="text-accent-strong underline underline-offset-2">
      Changed {files}
    </Link>
  );
}
