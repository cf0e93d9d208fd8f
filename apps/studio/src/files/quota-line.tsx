import type { Quota } from '../api/files.ts';
import { Meter } from '../ui/progress.tsx';
import { formatBytes } from './format.ts';

/** The used part of the quota; only the used size without a limit. */
export function QuotaLine({ quota }: { quota: Quota }) {
  const used = formatBytes(quota.usedBytes);
  if (quota.limitBytes === null) return <p className="text-sm text-soft">{used} used</p>;
  const share = quota.limitBytes === 0 ? 1 : quota.usedBytes / quota.limitBytes;
  const text = `${used} of ${formatBytes(quota.limitBytes)} used`;
  return (
    <div className="grid w-44 gap-1 max-sm:w-full">
      <p className="text-sm text-soft">
        {text}
        {share >= 1 && <strong className="font-medium text-bad"> · full</strong>}
      </p>
      <Meter value={share} label="Space used" text={text} />
    </div>
  );
}
