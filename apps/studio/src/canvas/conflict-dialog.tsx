import type { Clash } from '@croft/flow';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import type { Conflict } from './edit-conflict.ts';

const MAX_PARTS = 8;

/** Asks which changes count, where others changed the same parts of the flow. */
export function ConflictDialog({
  conflict,
  titleOf,
  onResolve,
}: {
  conflict: Conflict;
  titleOf: (node: string) => string;
  onResolve: (keep: 'mine' | 'theirs') => void;
}) {
  const parts = [...new Set(conflict.clashes.map((clash) => partName(clash, titleOf)))];
  return (
    <Dialog
      open
      title="Someone else changed the same part"
      about="Another tab, person or agent changed what you changed. Your changes are not saved yet."
    >
      <ul className="grid list-disc gap-1 pl-5">
        {parts.slice(0, MAX_PARTS).map((part) => (
          <li key={part}>{part}</li>
        ))}
        {parts.length > MAX_PARTS && <li>{parts.length - MAX_PARTS} more</li>}
      </ul>
      <DialogFoot>
        <Button look="primary" onClick={() => onResolve('mine')}>
          Keep my changes
        </Button>
        <Button onClick={() => onResolve('theirs')}>Use theirs</Button>
      </DialogFoot>
    </Dialog>
  );
}

/** A part of a flow in words. */
export function partName([kind, id = '', part, name]: Clash, titleOf: (node: string) => string): string {
  if (kind === undefined) return 'The whole flow';
  if (kind === 'item') return 'A note or group';
  if (kind !== 'node') return `The ${kind} of the flow`;
  const title = titleOf(id);
  if (part === undefined) return title;
  if (part === 'edge') return `A connection of ${title}`;
  if (part === 'value') return `“${name ?? ''}” of ${title}`;
  const words: Readonly<Record<string, string>> = {
    rename: 'The name',
    set_code: 'The code',
    pinned: 'A pinned output',
    select_output: 'The selected output',
    enable_tool_mode: 'The tool mode',
    set_run_options: 'The run options',
  };
  return `${words[part] ?? 'A setting'} of ${title}`;
}
