import { NameText } from '../ui/name-text.tsx';
import type { ShownValue } from './shown-value.ts';

/** Rows of texts as a table. */
export function RowTable({
  columns,
  rows,
  more,
  showsUnseen,
}: Omit<Extract<ShownValue, { kind: 'rows' }>, 'kind'> & {
  /** Invisible characters by their code. */
  readonly showsUnseen: boolean;
}) {
  const cellOf = (text: string) => (showsUnseen ? <NameText name={text} hasLines /> : text);
  return (
    <>
      <table className="w-full">
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" className="border-b border-line px-3 py-1.5 text-left font-semibold">
                {cellOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} className="border-b border-line px-3 py-1.5 align-top">
                  {cellOf(cell)}
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
