import { PencilLine } from 'lucide-react';
import { memo } from 'react';
import type { RewindOf } from './assistant-server.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import type { Exchange } from './chat.ts';
import type { ChatParts } from './assistant-flow.ts';
import { TurnItem } from './turn-item.tsx';
import { TurnFoot } from './turn-foot.tsx';
import { isUnderWay } from './turn-view.ts';
import { useEndedRuns } from './use-ended-runs.ts';

type ItemProps = ChatParts & { readonly exchange: Exchange; readonly hasCanvas: boolean };

/** A message of the user with everything that answers it. */
export const ExchangeItem = memo(Item, isSame);

/** Tokens of the newest message change nothing of the others. */
function isSame(before: ItemProps, now: ItemProps): boolean {
  const { document, version, registry, isReadOnly } = before.flow;
  const next = now.flow;
  return (
    before.exchange === now.exchange &&
    before.hasCanvas === now.hasCanvas &&
    document === next.document &&
    version === next.version &&
    registry === next.registry &&
    isReadOnly === next.isReadOnly
  );
}

function Item({ exchange, hasCanvas, ...parts }: ItemProps) {
  const { message } = exchange;
  const turns = useEndedRuns(exchange.turns);
  return (
    <li className="grid grid-cols-1 gap-2.5">
      <div className="flex items-start justify-end gap-1">
        <RewindMenu exchange={exchange} hasCanvas={hasCanvas && !parts.flow.isReadOnly} {...parts} />
        <p className="max-w-[85%] rounded-lg rounded-tr-sm bg-selected px-3 py-1.5 text-sm [overflow-wrap:anywhere] whitespace-pre-wrap">
          <span className="sr-only">You: </span>
          {message}
        </p>
      </div>
      {turns.map((turn) => (
        <TurnItem key={turn.key} turn={turn} {...parts} />
      ))}
      <TurnFoot turns={turns} {...parts} />
    </li>
  );
}

/** Edit and send again: the message goes back to the composer, and what followed it is taken back. */
function RewindMenu({
  exchange: { message, turns },
  hasCanvas,
  store,
  onEdit,
}: ChatParts & { exchange: Exchange; hasCanvas: boolean }) {
  const [first] = turns;
  if (first === undefined || turns.some(isUnderWay)) return null;
  async function rewind(what: RewindOf) {
    const text = await store.rewind(first?.key ?? '', what);
    if (text !== undefined) onEdit(text);
  }
  if (first.id === undefined)
    return (
      <IconButton label="Edit the message" className="size-7!" onClick={() => onEdit(message)}>
        <PencilLine size={14} />
      </IconButton>
    );
  return (
    <Menu
      trigger={
        <IconButton label="Edit and send again" className="size-7!">
          <PencilLine size={14} />
        </IconButton>
      }
    >
      {hasCanvas && <MenuItem onSelect={() => void rewind('both')}>Rewind canvas and chat to here</MenuItem>}
      <MenuItem onSelect={() => void rewind('chat')}>Rewind the chat to here</MenuItem>
      {hasCanvas && <MenuItem onSelect={() => void rewind('canvas')}>Rewind the canvas to here</MenuItem>}
      <MenuItem onSelect={() => onEdit(message)}>Copy to the composer</MenuItem>
    </Menu>
  );
}
