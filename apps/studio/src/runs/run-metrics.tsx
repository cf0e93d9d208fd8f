import { RunFacts } from './run-facts.tsx';

/** The cost of a run that has ended, as the server reports it. */
export function RunMetrics({
  metrics,
}: {
  metrics:
    | { readonly duration_seconds: number; readonly input_tokens: number; readonly output_tokens: number }
    | null
    | undefined;
}) {
  if (!metrics) return null;
  const tokens = { input: metrics.input_tokens, output: metrics.output_tokens };
  return <RunFacts ms={metrics.duration_seconds * 1_000} tokens={tokens} />;
}
