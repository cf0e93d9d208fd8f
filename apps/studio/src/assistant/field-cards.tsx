import { type FlowNode, nodeTitle, portsOf, type Registry } from '@croft/flow';
import { ArrowLeft, ArrowRight, Check, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import type { ChatParts } from './assistant-flow.ts';
import { diffTexts, valueText } from './text-diff.ts';
import type { FieldOffer } from './turn-view.ts';

/**
 * Proposed values of fields, one at a time: what goes, what comes, and whether to take it. Keys inside: A accepts, R
 * dismisses, J and K go on and back.
 */
export function FieldCards({
  fields,
  turnKey,
  isReverted,
  flow,
  store,
}: Pick<ChatParts, 'flow' | 'store'> & { fields: readonly FieldOffer[]; turnKey: string; isReverted: boolean }) {
  const [at, setAt] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  const offer = fields[Math.min(at, fields.length - 1)];
  if (offer === undefined) return null;
  const waiting = fields.filter(({ status }) => status === 'pending');
  const canDecide = offer.status === 'pending' && !flow.isReadOnly && !isBusy;
  async function decide(list: readonly FieldOffer[], choice: 'accept' | 'dismiss') {
    setIsBusy(true);
    for (const { id } of list) await store.decide(turnKey, id, choice);
    setIsBusy(false);
    const next = fields.findIndex((each) => each.status === 'pending' && !list.includes(each));
    if (next !== -1) setAt(next);
  }
  const go = (by: number) => setAt(Math.max(0, Math.min(fields.length - 1, at + by)));
  function press(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === 'j') go(1);
    else if (key === 'k') go(-1);
    else if (key === 'a' && canDecide) void decide([offer as FieldOffer], 'accept');
    else if (key === 'r' && canDecide) void decide([offer as FieldOffer], 'dismiss');
    else return;
    event.preventDefault();
  }
  const node = flow.document.nodes.find(({ id }) => id === offer.component_id);
  const { id, component_id, field, new_value } = offer;
  // The server decides a proposal once; this is an edit of the user.
  function applyAfterAll() {
    if (flow.apply([{ kind: 'configure', id: component_id, values: { [field]: new_value } }]))
      void store.landed(turnKey, id);
  }
  return (
    <section
      aria-label="Proposed changes"
      onKeyDown={press}
      className="grid grid-cols-1 gap-2.5 rounded-lg border border-line bg-surface p-3"
    >
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h3 className="font-semibold [overflow-wrap:anywhere]">
            {labelOf(offer.field, node, flow.registry)} <span className="font-normal text-soft">of</span>{' '}
            {node ? nodeTitle(node, flow.registry) : offer.component_type}
          </h3>
          <p className="text-xs text-soft">{offer.component_id}</p>
        </div>
        {offer.status === 'applied' && (isReverted ? <Badge>Undone</Badge> : <Badge tone="good">Applied</Badge>)}
        {offer.status === 'dismissed' && <Badge>Dismissed</Badge>}
      </div>
      <Diff before={valueText(offer.old_value)} after={valueText(offer.new_value)} />
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        {offer.status === 'pending' && !flow.isReadOnly && (
          <>
            <Button small look="primary" busy={isBusy} onClick={() => void decide([offer], 'accept')}>
              <Check size={14} aria-hidden="true" /> Accept
            </Button>
            <Button small look="quiet" disabled={isBusy} onClick={() => void decide([offer], 'dismiss')}>
              <X size={14} aria-hidden="true" /> Dismiss
            </Button>
          </>
        )}
        {offer.status === 'dismissed' && stillFits(offer, node) && !flow.isReadOnly && (
          <Button small look="quiet" onClick={applyAfterAll}>
            Apply it after all
          </Button>
        )}
        {waiting.length > 1 && !flow.isReadOnly && (
          <>
            <Button small disabled={isBusy} onClick={() => void decide(waiting, 'accept')}>
              Accept all {waiting.length}
            </Button>
            <Button small look="quiet" disabled={isBusy} onClick={() => void decide(waiting, 'dismiss')}>
              Dismiss all
            </Button>
          </>
        )}
        {fields.length > 1 && (
          <span className="ml-auto flex items-center gap-1 text-xs text-soft">
            <IconButton label="Previous change" className="size-7!" disabled={at === 0} onClick={() => go(-1)}>
              <ArrowLeft size={14} />
            </IconButton>
            {Math.min(at, fields.length - 1) + 1} of {fields.length}
            <IconButton
              label="Next change"
              className="size-7!"
              disabled={at >= fields.length - 1}
              onClick={() => go(1)}
            >
              <ArrowRight size={14} />
            </IconButton>
          </span>
        )}
      </div>
    </section>
  );
}

/** Whether a field still has the value that the proposal would replace. */
const stillFits = ({ field, old_value }: FieldOffer, node: FlowNode | undefined): boolean =>
  node !== undefined && JSON.stringify(node.values[field] ?? null) === JSON.stringify(old_value);

function labelOf(field: string, node: FlowNode | undefined, registry: Registry): string {
  const entry = node && registry.get(node.type);
  const fields = node && entry ? portsOf(node, entry).fields : [];
  return fields.find(({ name }) => name === field)?.label ?? field;
}

/** The old and the new text in one, by words. */
function Diff({ before, after }: { before: string; after: string }) {
  return (
    <div
      role="group"
      aria-label="Old and new value"
      tabIndex={0}
      className="max-h-60 overflow-y-auto rounded-md border border-line bg-sunken p-2.5 font-mono text-xs leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap"
    >
      {diffTexts(before, after).map(({ kind, text }, index) => {
        if (kind === 'old')
          return (
            <del key={index} className="rounded-sm bg-bad-soft text-bad">
              {text}
            </del>
          );
        if (kind === 'new')
          return (
            <ins key={index} className="rounded-sm bg-accent-soft text-accent-strong no-underline">
              {text}
            </ins>
          );
        return <span key={index}>{text}</span>;
      })}
      {before === '' && after === '' && <span className="text-soft">(empty)</span>}
    </div>
  );
}
