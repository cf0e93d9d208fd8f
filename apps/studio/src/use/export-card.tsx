import { Download } from 'lucide-react';
import { useFlowActions } from '../flows/use-flow-actions.ts';
import { Button } from '../ui/button.tsx';
import { Card, CardHead } from '../ui/card.tsx';

/** Downloads the flow. */
export function ExportCard({ id, name }: { id: string; name: string }) {
  const { exportFlow } = useFlowActions();
  return (
    <Card aria-label="Export">
      <CardHead
        title="Export"
        about="A file for Import on another server, or for croft run. It has no secrets."
        action={
          <Button onClick={() => void exportFlow({ id, name })}>
            <Download size={17} aria-hidden="true" /> Export
          </Button>
        }
      />
    </Card>
  );
}
