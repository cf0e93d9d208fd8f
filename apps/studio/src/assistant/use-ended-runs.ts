import { useQueries } from '@tanstack/react-query';
import { isOpen, type RunRecord, runQuery } from '../api/runs.ts';
import { reduceTurn } from './reduce-turn.ts';
import type { TurnView } from './turn-view.ts';

const isWaiting = ({ run }: TurnView): boolean => run?.status === 'waiting';

/**
 * Turns with the end of each run that waited for a person. The assistant ends its message when such a run waits, so no event of
 * the turn has the end.
 */
export function useEndedRuns(turns: readonly TurnView[]): readonly TurnView[] {
  const ids = [...new Set(turns.filter(isWaiting).flatMap(({ run }) => run?.id ?? []))];
  const read = useQueries({ queries: ids.map((id) => runQuery(id)) });
  const ended = read.flatMap(({ data }) => (data === undefined || isOpen(data.status) ? [] : [data]));
  return turns.map((turn) => {
    const record = isWaiting(turn) ? ended.find(({ id }) => id === turn.run?.id) : undefined;
    return record === undefined ? turn : withEnd(turn, record);
  });
}

const withEnd = (turn: TurnView, { id, status, text, metrics }: RunRecord): TurnView =>
  reduceTurn(turn, {
    event: 'run_finished',
    run_id: id,
    status,
    text: text ?? '',
    duration_seconds: metrics?.duration_seconds ?? 0,
    total_tokens: metrics?.total_tokens ?? 0,
  });
