import { Download, FileQuestion } from 'lucide-react';
import { contentUrl } from '../api/files.ts';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/state.tsx';
import { nameOf } from './paths.ts';

/** A file that the page cannot show. */
export function NoPreview({ path, why }: { path: string; why: string }) {
  return (
    <EmptyState icon={<FileQuestion size={22} />} title="No preview" action={<DownloadLink path={path} />}>
      {why}
    </EmptyState>
  );
}

/** Saves the whole file. */
export function DownloadLink({ path, small = false }: { path: string; small?: boolean }) {
  return (
    <a href={contentUrl(path, { download: true })} download={nameOf(path)} className={buttonClass('plain', small)}>
      <Download size={16} aria-hidden="true" /> Download
    </a>
  );
}
