import { Download } from 'lucide-react';
import { useState } from 'react';
import { downloadText } from '../files/download-text.ts';
import { FileIcon } from '../files/file-icon.tsx';
import { formatBytes } from '../files/format.ts';
import { MarkdownText } from '../files/markdown-text.tsx';
import { folderOf, nameOf } from '../files/paths.ts';
import { toFilesPlace } from '../files/place-of-files.ts';
import { Link } from '../routing/link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import type { WrittenFile } from './turn-view.ts';

/** A file that the turn wrote. Its content came with the event, so opening it requests nothing. */
export function FileCard({ file: { action, path, size, content } }: { file: WrittenFile }) {
  const [isOpen, setIsOpen] = useState(false);
  const name = nameOf(path);
  const shownName = spelledName(name);
  return (
    <section
      aria-label={`File ${spelledName(path)}`}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-3 py-2"
    >
      <FileIcon name={name} type="file" />
      <div className="min-w-0 flex-[1_1_8rem]">
        <p className="font-medium [overflow-wrap:anywhere]">{spelledName(path)}</p>
        <p className="text-xs text-soft">
          {action === 'write_file' ? 'Written' : 'Changed'}
          {size > 0 && ` · ${formatBytes(size)}`}
        </p>
      </div>
      {content === undefined ? (
        <Link to={toFilesPlace({ dir: folderOf(path), file: path })} className={buttonClass('plain', true)}>
          Open in Files
        </Link>
      ) : (
        <div className="flex gap-1">
          <Button small onClick={() => setIsOpen(true)}>
            Open
          </Button>
          <Button
            small
            look="quiet"
            aria-label={`Download ${shownName}`}
            onClick={() => downloadText(name, content, 'text/plain;charset=utf-8')}
          >
            <Download size={15} aria-hidden="true" /> <span className="max-sm:sr-only">Download</span>
          </Button>
        </div>
      )}
      {content !== undefined && (
        <Dialog
          open={isOpen}
          wide
          title={shownName}
          about={path === name ? undefined : spelledName(path)}
          onClose={() => setIsOpen(false)}
        >
          {/\.(md|markdown)$/i.test(name) ? (
            <MarkdownText path={path} text={content} under={2} />
          ) : (
            <pre tabIndex={0} className="max-h-[60dvh] overflow-auto rounded-md bg-sunken p-3 font-mono text-sm">
              {content}
            </pre>
          )}
        </Dialog>
      )}
    </section>
  );
}
