import { BotMessageSquare, Plus, Workflow } from 'lucide-react';
import { openAssistant } from '../assistant/open-assistant.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/state.tsx';

/** A flow without components offers the assistant and the first component. */
export function EmptyCanvas({
  isReadOnly,
  isLocked,
  onAdd,
}: {
  isReadOnly: boolean;
  /** The assistant works on the flow, of this user. */
  isLocked: boolean;
  onAdd: () => void;
}) {
  return (
    // Below the toolbar, which a low canvas would otherwise have in its middle.
    <div className="pointer-events-none absolute inset-x-0 top-14 bottom-0 grid place-items-center *:pointer-events-auto">
      <EmptyState
        icon={<Workflow size={22} />}
        title="This flow has no components yet"
        action={
          !isReadOnly && (
            <>
              <Button look="primary" onClick={openAssistant}>
                <BotMessageSquare size={16} aria-hidden="true" /> Describe it to the assistant
              </Button>
              <Button onClick={onAdd}>
                <Plus size={16} aria-hidden="true" /> Add the first component
              </Button>
            </>
          )
        }
      >
        {textFor(isReadOnly, isLocked)}
      </EmptyState>
    </div>
  );
}

function textFor(isReadOnly: boolean, isLocked: boolean): string {
  if (isLocked) return 'The assistant works on it.';
  return isReadOnly ? 'Its owner can add components.' : 'A chat begins with “Chat input” and ends with “Chat output”.';
}
