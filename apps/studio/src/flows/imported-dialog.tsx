import { asSentence } from '@croft/flow';
import type { Finding, FullFlow } from '../api/flows.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { NameText } from '../ui/name-text.tsx';

/** Lists what an import could not map. */
export function ImportedDialog({
  flow,
  findings,
  onOpen,
  onClose,
}: {
  flow: FullFlow;
  findings: readonly Finding[];
  onOpen: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      wide
      title={
        <>
          Imported “
          <NameText name={flow.name} />”
        </>
      }
      about={`${findings.length === 1 ? 'One part needs' : `${findings.length} parts need`} your attention before the flow runs as it did elsewhere. Nothing was lost: Croft keeps the parts that it does not know.`}
      onClose={onClose}
    >
      <ul aria-label="Parts that need attention" tabIndex={0} className="grid max-h-80 gap-3 overflow-y-auto">
        {findings.map((finding, index) => (
          <li
            key={index}
            className="rounded-md border border-line bg-sunken px-3.5 py-2.5 text-sm [overflow-wrap:anywhere]"
          >
            <p className="font-medium">{asSentence(finding.message)}</p>
            <p className="text-soft">{asSentence(finding.fix)}</p>
          </li>
        ))}
      </ul>
      <DialogFoot>
        <Button look="primary" data-first onClick={onOpen}>
          Open flow
        </Button>
        <Button onClick={onClose}>Close</Button>
      </DialogFoot>
    </Dialog>
  );
}
