import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { type RestorePoint, restorePointsQuery } from '../api/restore-points.ts';
import { formatExactly, formatWhen } from '../files/format.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { NameText } from '../ui/name-text.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';

/** The kept versions, the newest first, and what to do with the chosen one. */
export function PointList({
  id,
  points,
  chosen,
  other,
  isReadOnly,
  onChoose,
  onCompare,
  onRestore,
}: {
  id: string;
  points: readonly RestorePoint[];
  chosen: RestorePoint;
  /** The one that it is compared with; undefined for the flow as it is now. */
  other: RestorePoint | undefined;
  isReadOnly: boolean;
  onChoose: (point: string) => void;
  onCompare: (point: string | undefined) => void;
  /** Absent while the document loads. */
  onRestore: (() => void) | undefined;
}) {
  const client = useQueryClient();
  const [isDeleting, setIsDeleting] = useState(false);
  async function remove() {
    setIsDeleting(false);
    try {
      await api('DELETE /api/v1/flows/{id}/restore-points/{point}', { params: { id, point: chosen.id } });
      toast({ text: `Deleted the version “${chosen.name}”.` });
    } catch (error) {
      toast({ tone: 'bad', text: `The version was not deleted. ${sentenceOf(error)}` });
    }
    await client.invalidateQueries({ queryKey: restorePointsQuery(id).queryKey, exact: true });
  }
  return (
    <section aria-label="Kept versions" className="grid grid-cols-1 gap-3">
      <h2 className="text-lg font-semibold tracking-tight">Kept versions</h2>
      <ol className="grid max-h-72 grid-cols-1 gap-1 overflow-y-auto">
        {points.map((point) => (
          <li key={point.id}>
            <button
              type="button"
              aria-current={point.id === chosen.id ? 'true' : undefined}
              onClick={() => onChoose(point.id)}
              className={cn(
                'grid w-full grid-cols-1 rounded-md px-2.5 py-1.5 text-left text-sm hovered:bg-hover',
                point.id === chosen.id && 'bg-selected',
              )}
            >
              <span className="truncate font-medium">
                <NameText name={point.name} />
              </span>
              <span className="truncate text-soft">
                <time dateTime={point.createdAt} title={formatExactly(point.createdAt)}>
                  {formatWhen(point.createdAt)}
                </time>
                {point.author !== null && <> · {point.author}</>}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {points.length > 1 && (
        <Field label="Compare with">
          {(control) => (
            <Select
              {...control}
              value={other?.id ?? ''}
              onChange={({ target }) => onCompare(target.value === '' ? undefined : target.value)}
            >
              <option value="">The flow as it is now</option>
              {points
                .filter((each) => each.id !== chosen.id)
                .map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.name}, {formatExactly(each.createdAt)}
                  </option>
                ))}
            </Select>
          )}
        </Field>
      )}
      {!isReadOnly && (
        <div className="flex flex-wrap gap-2">
          <Button look="primary" disabled={onRestore === undefined} onClick={onRestore}>
            <RotateCcw size={16} aria-hidden="true" /> Restore this version
          </Button>
          <Button onClick={() => setIsDeleting(true)}>
            <Trash2 size={16} aria-hidden="true" /> Delete
          </Button>
        </div>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={
            <>
              Delete the version “<NameText name={chosen.name} />
              ”?
            </>
          }
          about="The flow stays as it is. You cannot restore the version after this."
          action="Delete version"
          busy={false}
          onConfirm={() => void remove()}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </section>
  );
}
