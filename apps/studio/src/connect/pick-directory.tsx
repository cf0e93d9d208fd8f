import { TriangleAlert } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Callout } from '../ui/state.tsx';
import { DirectoryList } from './directory-list.tsx';
import { isWholePath } from './whole-path.ts';

const PAUSE_MS = 350;

/** Lets the user pick the directory that agents may read, by browsing the machine or by typing the path. */
export function PickDirectory({
  busy,
  problem,
  onPick,
  onCancel,
}: {
  busy: boolean;
  problem: string | undefined;
  onPick: (directory: string) => void;
  onCancel: () => void;
}) {
  const [directory, setDirectory] = useState('');
  // Load a typed path after a pause.
  const [looked, setLooked] = useState<string>();
  const typed = directory.trim();
  useEffect(() => {
    if (!isWholePath(typed) || typed === looked) return undefined;
    const timer = setTimeout(() => setLooked(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, looked]);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (typed !== '' && !busy) onPick(typed);
  }
  return (
    <form onSubmit={submit} className="grid grid-cols-1 gap-4">
      <TextField
        label="Directory"
        hint="Choose it below, or type its full path. Agents cannot read passwords and keys in known places."
        error={problem}
        autoFocus
        required
        spellCheck={false}
        className="font-mono text-sm"
        placeholder="/home/me/projects"
        value={directory}
        onText={setDirectory}
      />
      <DirectoryList
        path={looked}
        chosen={typed}
        onGo={(path) => {
          setDirectory(path);
          setLooked(path);
        }}
      />
      {/^(\/|[a-z]:[\\/]?)$/i.test(typed) && (
        <Callout tone="warn" role="status" icon={<TriangleAlert size={16} />}>
          This is the whole disk. Agents can read every file that Croft can read, except protected files.
        </Callout>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={busy}>
          Let agents read it
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
