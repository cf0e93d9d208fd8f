import { useQueryClient } from '@tanstack/react-query';
import { BookmarkPlus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { restorePointsQuery } from '../api/restore-points.ts';
import type { EditStore } from '../canvas/edit-state.ts';
import { whenSaved } from '../inspector/when-saved.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { sentenceOf } from '../ui/state.tsx';

/** Keeps the flow as it is now as a version. */
export function KeepVersion({ id, edits, onKept }: { id: string; edits: EditStore; onKept: (point: string) => void }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function keep() {
    setIsBusy(true);
    setProblem(undefined);
    try {
      if (!(await whenSaved(edits))) setProblem('The latest changes are not saved yet. Save them first.');
      else {
        const body = { name: name.trim() || 'Kept by hand' };
        const made = await api('POST /api/v1/flows/{id}/restore-points', { params: { id }, body });
        await client.invalidateQueries({ queryKey: restorePointsQuery(id).queryKey, exact: true });
        setName('');
        onKept(made.restorePoint.id);
      }
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    setIsBusy(false);
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void keep();
      }}
    >
      <TextField
        label="Reason (optional)"
        error={problem}
        maxLength={100}
        placeholder="For example: before the demo"
        value={name}
        onText={setName}
      />
      <Button type="submit" busy={isBusy} className="justify-self-start">
        <BookmarkPlus size={16} aria-hidden="true" /> Keep the flow as it is now
      </Button>
    </form>
  );
}
