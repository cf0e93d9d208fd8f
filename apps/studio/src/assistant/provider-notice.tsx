import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { assistantConfigQuery } from '../api/assistant.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/state.tsx';

/** Says that rules answer instead of a model, and offers to set a provider up. Nothing where one is set up. */
export function ProviderNotice({ onSetUp }: { onSetUp: () => void }) {
  const { data } = useQuery(assistantConfigQuery);
  if (data === undefined || data.configured) return null;
  return (
    <Callout icon={<KeyRound size={16} />}>
      <p>
        No model provider is set up. <span className="font-mono text-xs">croft/offline</span> answers by rules: it
        understands simple requests to build, change and run a flow.
      </p>
      <Button small className="mt-2" data-testid="assistant-no-models-configure-providers" onClick={onSetUp}>
        Set up a provider
      </Button>
    </Callout>
  );
}
