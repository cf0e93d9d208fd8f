import type { Json } from '@croft/flow';
import { FileText } from 'lucide-react';
import { folderOf } from '../files/paths.ts';
import { toFilesPlace } from '../files/place-of-files.ts';
import { Link } from '../routing/link.tsx';
import { NameText } from '../ui/name-text.tsx';
import { type ShownValue, shownValue } from './shown-value.ts';

/** A value of a run: a text, a table, a file, or JSON. */
export function ValueView({ value, label }: { value: Json; label: string }) {
  const shown = shownValue(value);
  if (shown.kind === 'file')
    return (
      <Link
        to={toFilesPlace({ dir: folderOf(shown.path), file: shown.path })}
        className="flex w-fit max-w-full items-center gap-2 rounded-md border border-line bg-surface px-3 py-1.5 text-sm hovered:bg-hover"
      >
        <FileText size={16} aria-hidden="true" className="shrink-0 text-soft" />
        <span className="min-w-0 truncate">
          <NameText name={shown.path} />
        </span>
      </Link>
    );
  if (shown.kind === 'empty') return <p className="text-sm text-soft">(empty)</p>;
  return (
    <div
      role="region"
      tabIndex={0}
      aria-label={label}
      className="max-h-80 overflow-auto rounded-md border border-line bg-sunken text-sm"
    >
      {shown.kind === 'rows' ? (
        <Rows {...shown} />
      ) : (
        <pre
          className={`px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere] ${shown.kind === 'json' ? 'font-mono text-xs' : 'font-sans'}`}
        >
          {shown.text}
        </pre>
      )}
    </div>
  );
}

function Rows({ columns, rows, more }: Extract<ShownValue, { kind: 'rows' }>) {
  return (
    <>
      <table className="w-full">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="border-b border-line px-3 py-1.5 text-left font-semibold">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} className="border-b border-line px-3 py-1.5 align-top">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more && <p className="px-3 py-1.5 text-soft">{more}</p>}
    </>
  );
}
