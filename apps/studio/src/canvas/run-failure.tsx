import { FailureNote } from '../runs/failure-note.tsx';
import { isFailureOutdated } from './run-state.ts';
import { useRun } from './run-store.ts';

/** The failure of the run of the page, with a way to its component. */
export function RunFailure({ titleOf, onShow }: { titleOf: (node: string) => string; onShow: (node: string) => void }) {
  const run = useRun();
  const { failure } = run;
  if (failure === undefined) return null;
  const { node } = failure;
  return (
    <FailureNote
      failure={failure}
      isOutdated={isFailureOutdated(run)}
      titleOf={titleOf}
      action={node !== undefined && <ShowButton title={titleOf(node)} onShow={() => onShow(node)} />}
    />
  );
}

/** Leads to a component. */
export function ShowButton({ title, onShow }: { title: string; onShow: () => void }) {
  return (
    <button type="button" onClick={onShow} className="rounded-sm font-medium underline underline-offset-2">
      Show {title}
    </button>
  );
}
