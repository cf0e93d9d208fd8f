import { Lock, TriangleAlert } from 'lucide-react';
import { Callout } from '../ui/state.tsx';
import { NameText } from '../ui/name-text.tsx';
import { mountOf, useMounts } from './use-mounts.ts';

/** Says that a folder is read-only, and that a mount hides an entry of the same name. */
export function MountNotice({ dir }: { dir: string }) {
  const mounts = useMounts();
  const mount = mountOf(mounts, dir);
  const hiding = dir === '' ? mounts.filter(({ hidesEntry }) => hidesEntry) : [];
  return (
    <>
      {mount?.readOnly && (
        <Callout icon={<Lock size={16} />}>
          These files are read-only here. An admin of this server can change that.
        </Callout>
      )}
      {hiding.map(({ name }) => (
        <Callout key={name} tone="warn" icon={<TriangleAlert size={16} />}>
          Another entry called “<NameText name={name} />” is hidden: the mounted folder of that name is shown instead.
          To see the hidden entry, rename it on the server’s disk.
        </Callout>
      ))}
    </>
  );
}
