import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { api } from '../api/api.ts';
import { type ModelProvider, modelsQuery } from '../api/models.ts';
import { formatMs } from '../canvas/result-text.ts';
import { ProviderSetUp } from '../inspector/model-control.tsx';
import { Link } from '../routing/link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card, CardHead } from '../ui/card.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { sentenceOf } from '../ui/state.tsx';

/** The providers of language models: which are set up, and whether their keys work. */
export function ProvidersPage() {
  const { data, error, refetch } = useQuery(modelsQuery);
  return (
    <Card aria-label="Model providers">
      <CardHead
        title="Model providers"
        about={
          <>
            Components without a model use the first provider that is ready. Their keys are stored as{' '}
            <Link to="/settings/variables" className="text-accent-strong underline underline-offset-2">
              variables
            </Link>
            .
          </>
        }
      />
      {!data ? (
        <NotLoaded what="providers" error={error} onRetry={() => void refetch()} lines={5} />
      ) : (
        <ul className="border-t border-line">
          {data.providers.map((provider) => (
            <ProviderRow
              key={provider.name}
              provider={provider}
              isPreferred={provider.name === data.preferred.provider}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ProviderRow({ provider, isPreferred }: { provider: ModelProvider; isPreferred: boolean }) {
  const { name, enabled, models } = provider;
  const test = useMutation({
    mutationFn: () => api('POST /api/v1/models/{provider}/test', { params: { provider: name } }),
  });
  const { data } = test;
  const failure = data?.failure ?? undefined;
  return (
    <li className="grid grid-cols-1 gap-3 border-b border-line px-5 py-3 last:border-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-[1_1_12rem]">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            {name}
            <Badge tone={!enabled ? 'neutral' : failure ? 'bad' : 'good'} dot>
              {!enabled ? 'Not set up' : failure ? 'Test failed' : 'Ready'}
            </Badge>
            {isPreferred && <Badge>Preferred</Badge>}
          </p>
          {models.length > 0 && <p className="text-sm text-soft [overflow-wrap:anywhere]">{models.join(', ')}</p>}
        </div>
        {enabled && (
          <Button small busy={test.isPending} aria-label={`Test ${name}`} onClick={() => test.mutate()}>
            Test
          </Button>
        )}
      </div>
      <p role="status" className="flex items-start gap-1.5 text-sm empty:hidden">
        {data?.failure === null && (
          <>
            <CircleCheck size={15} aria-hidden="true" className="mt-0.5 shrink-0 text-accent" /> {data.model} answered
            in {formatMs(data.ms)}
          </>
        )}
        {(failure ?? test.error) && (
          <>
            <CircleAlert size={15} aria-hidden="true" className="mt-0.5 shrink-0 text-bad" />
            <span className="min-w-0 text-bad [overflow-wrap:anywhere]">
              {failure ? `${failure.message} ${failure.fix}` : sentenceOf(test.error)}
            </span>
          </>
        )}
      </p>
      {failure && isPreferred && (
        <p className="text-sm text-soft">
          Components without a model fail while {name} is preferred. To use another provider, delete its variables.
        </p>
      )}
      {!enabled && (
        <details className="text-sm">
          <summary className="w-fit rounded-sm font-medium">Set up {name}</summary>
          <div className="mt-2">
            <ProviderSetUp provider={provider} onSaved={test.mutate} />
          </div>
        </details>
      )}
    </li>
  );
}
