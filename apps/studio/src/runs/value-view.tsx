import type { Json } from '@croft/flow';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { contentUrl } from '../api/files.ts';
import { hasTable } from '../canvas/result-text.ts';
import { folderOf, kindOf, nameOf } from '../files/paths.ts';
import { toFilesPlace } from '../files/place-of-files.ts';
import { Link } from '../routing/link.tsx';
import { NameText } from '../ui/name-text.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { ResultTextView } from './result-text-view.tsx';
import { RowTable } from './row-table.tsx';
import { type ShownFile, type ShownValue, shownValue } from './shown-value.ts';

/**
 * A value of a run: a text, a table, also one of Markdown, files with their pictures, or JSON. `showsUnseen`: invisible
 * characters by their code, for a person who decides about the value.
 */
export function ValueView({
  value,
  label,
  isCode = false,
  showsUnseen = false,
}: {
  value: Json;
  label: string;
  isCode?: boolean;
  showsUnseen?: boolean;
}) {
  const shown = shownValue(value);
  if (shown.kind === 'files') return <Files {...shown} />;
  if (shown.kind === 'empty') return <p className="text-sm text-soft">(empty)</p>;
  if (shown.kind === 'text' && !isCode && !showsUnseen && hasTable(shown.text))
    return (
      <ResultTextView
        text={shown.text}
        label={label}
        className="rounded-md border border-line bg-sunken px-3 py-2 text-sm"
      />
    );
  return (
    <div
      role="region"
      tabIndex={0}
      aria-label={label}
      className="max-h-80 overflow-auto rounded-md border border-line bg-sunken text-sm"
    >
      {shown.kind === 'rows' ? (
        <RowTable {...shown} showsUnseen={showsUnseen} />
      ) : (
        <pre
          className={`px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere] ${isCode || shown.kind === 'json' ? 'font-mono' : 'font-sans'}`}
        >
          {showsUnseen ? <NameText name={shown.text} hasLines /> : shown.text}
        </pre>
      )}
    </div>
  );
}

function Files({ files, more }: Extract<ShownValue, { kind: 'files' }>) {
  return (
    <ul className="grid grid-cols-1 gap-2">
      {files.map((file) => (
        <li key={file.path} className="grid grid-cols-1 justify-items-start gap-1">
          {kindOf(file.path) === 'image' && <Picture key={file.version} {...file} />}
          <Link
            to={toFilesPlace({ dir: folderOf(file.path), file: file.path })}
            className="flex w-fit max-w-full items-center gap-2 rounded-md border border-line bg-surface px-3 py-1.5 text-sm hovered:bg-hover"
          >
            <FileText size={16} aria-hidden="true" className="shrink-0 text-soft" />
            <span className="min-w-0 truncate">
              <NameText name={file.path} />
            </span>
          </Link>
        </li>
      ))}
      {more && <li className="text-sm text-soft">{more}</li>}
    </ul>
  );
}

/** A picture of the workspace. Nothing where it cannot be shown: the file may have been deleted since. */
function Picture({ path, version }: ShownFile) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return null;
  return (
    <img
      src={`${contentUrl(path)}&v=${encodeURIComponent(version)}`}
      alt={`Picture ${spelledName(nameOf(path))}`}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
      className="croft-checks max-h-60 max-w-full rounded-md border border-line object-contain"
    />
  );
}
