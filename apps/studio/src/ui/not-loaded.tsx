import { SkeletonLines } from './skeleton.tsx';
import { ErrorState } from './state.tsx';

/** In place of content that is not there: that it loads, or why it cannot be shown. */
export function NotLoaded({
  what,
  error,
  onRetry,
  lines,
  isInBody = false,
}: {
  /** In a sentence after "the", such as `flows`. */
  what: string;
  /** Of the last attempt; `null` while the content loads. */
  error: Error | null;
  onRetry: () => void;
  lines?: number;
  /** Inside a `CardBody`, which has the padding. */
  isInBody?: boolean;
}) {
  if (error) return <ErrorState title={`The ${what} cannot be shown`} error={error} onRetry={onRetry} />;
  const loading = <SkeletonLines label={`Loading the ${what}`} lines={lines} />;
  return isInBody ? loading : <div className="p-5">{loading}</div>;
}
