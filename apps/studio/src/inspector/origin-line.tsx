import { useQuery } from '@tanstack/react-query';
import { Bot, User } from 'lucide-react';
import type { ApiResponse } from '@croft/server/contract';
import { apiQuery } from '../api/api.ts';
import { formatExactly, formatWhen } from '../files/format.ts';
import { spelledName } from '../ui/unseen-characters.ts';

type Origin = NonNullable<ApiResponse<'GET /api/v1/flows/{id}/components/{component}/origin'>['origin']>;

/** A new component is known after its edit is stored. */
const AGAIN_MS = 2_000;

/** The maker of a component: a person, the assistant or an agent. Empty where the flow does not know. */
export function OriginLine({ flowId, nodeId }: { flowId: string; nodeId: string }) {
  const { data } = useQuery({
    ...apiQuery('GET /api/v1/flows/{id}/components/{component}/origin', { params: { id: flowId, component: nodeId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.origin === null && state.dataUpdateCount < 2 ? AGAIN_MS : false),
  });
  const origin = data?.origin;
  if (!origin) return null;
  const Icon = origin.by === 'person' ? User : Bot;
  return (
    <p className="flex items-start gap-1.5 text-sm text-soft">
      <Icon size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {textOf(origin)}{' '}
        <time dateTime={origin.addedAt} title={formatExactly(origin.addedAt)}>
          {formatWhen(origin.addedAt)}
        </time>
      </span>
    </p>
  );
}

function textOf({ by, author }: Origin): string {
  const name = author === null ? 'a removed user' : spelledName(author);
  if (by === 'person') return `Added by ${name}`;
  return by === 'assistant' ? `Added by the assistant for ${name}` : `Added by an agent of ${name}`;
}
