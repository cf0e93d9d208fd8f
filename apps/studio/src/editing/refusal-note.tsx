import { Panel } from '@xyflow/react';
import { CircleAlert, X } from 'lucide-react';
import { Button, IconButton } from '../ui/button.tsx';
import { Callout } from '../ui/state.tsx';
import type { WireRefusal } from './explain-wire.ts';

/** Why a connection was not made, with what would work. */
export function RefusalNote({
  refusal: { sentence, offer },
  onTake,
  onClose,
}: {
  refusal: WireRefusal;
  onTake: (edits: NonNullable<WireRefusal['offer']>['edits']) => void;
  onClose: () => void;
}) {
  return (
    <Panel
      position="bottom-center"
      className="nokeys m-3! w-96 max-w-[calc(100%-1.5rem)] rounded-md bg-raised shadow-float"
    >
      <Callout tone="bad" role="alert" icon={<CircleAlert size={16} />}>
        <div className="flex items-start justify-between gap-2">
          <p>{sentence}</p>
          <IconButton label="Close" className="-mt-1 -mr-1.5 size-7" onClick={onClose}>
            <X size={15} />
          </IconButton>
        </div>
        {offer && (
          <Button small className="mt-2" onClick={() => onTake(offer.edits)}>
            {offer.label}
          </Button>
        )}
      </Callout>
    </Panel>
  );
}
