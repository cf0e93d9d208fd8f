import { formatMs } from '../canvas/result-text.ts';

/** The cost of a run: time, and tokens where a model was asked. Breaks lines between the values only. */
export function RunFacts({
  ms,
  tokens,
}: {
  ms?: number | undefined;
  tokens?: { readonly input: number; readonly output: number } | null | undefined;
}) {
  const hasTokens = tokens && tokens.input + tokens.output > 0;
  if (ms === undefined && !hasTokens) return null;
  return (
    <span className="text-sm text-soft *:whitespace-nowrap">
      {ms !== undefined && (
        <span>
          Took {formatMs(ms)}
          {hasTokens && ' ·'}
        </span>
      )}
      {ms !== undefined && hasTokens && ' '}
      {hasTokens && (
        <>
          <span>{tokens.input.toLocaleString('en')} tokens in,</span>{' '}
          <span>{tokens.output.toLocaleString('en')} out</span>
        </>
      )}
    </span>
  );
}
