import { formatMs } from '../canvas/result-text.ts';

/** The cost of a run: time, and tokens where a model was asked. */
export function RunFacts({
  ms,
  tokens,
}: {
  ms?: number | undefined;
  tokens?: { readonly input: number; readonly output: number } | null | undefined;
}) {
  const parts = [
    ...(ms === undefined ? [] : [`Took ${formatMs(ms)}`]),
    ...(tokens && tokens.input + tokens.output > 0
      ? [`${tokens.input.toLocaleString('en')} tokens in, ${tokens.output.toLocaleString('en')} out`]
      : []),
  ];
  return parts.length === 0 ? null : <span className="text-sm text-soft">{parts.join(' · ')}</span>;
}
