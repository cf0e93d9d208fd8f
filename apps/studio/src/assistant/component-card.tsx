import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, apiQuery } from '../api/api.ts';
import { additionOf } from '../editing/add-component.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import type { ChatParts } from './assistant-flow.ts';
import type { WrittenComponent } from './turn-view.ts';

/** A component that the assistant wrote: its code, and whether to use and to keep it. */
export function ComponentCard({
  component: { className, label, code },
  flow,
}: Pick<ChatParts, 'flow'> & { component: WrittenComponent }) {
  const client = useQueryClient();
  const query = apiQuery('GET /api/v1/components/{name}', { params: { name: className } });
  const { data } = useQuery({ ...query, retry: false });
  const [isBusy, setIsBusy] = useState(false);
  const isKnown = flow.registry.get(className) !== undefined;
  function add() {
    const { nodes } = flow.document;
    const position = { x: Math.max(0, ...nodes.map(({ position: { x } }) => x + 320)), y: nodes[0]?.position.y ?? 0 };
    const added = additionOf(flow.document, flow.registry, { type: className, position });
    if (added) flow.apply(added.edits);
  }
  async function save() {
    setIsBusy(true);
    try {
      await api('PUT /api/v1/components/{name}', { params: { name: className }, body: { code } });
      await client.invalidateQueries({ queryKey: query.queryKey });
    } catch (error) {
      toast({ tone: 'bad', text: `${className} was not saved. ${sentenceOf(error)}` });
    }
    setIsBusy(false);
  }
  return (
    <section
      aria-label={`Component ${className}`}
      className="grid grid-cols-1 gap-2.5 rounded-lg border border-line bg-surface p-3"
    >
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="font-semibold [overflow-wrap:anywhere]">{label}</h3>
          <p className="text-xs text-soft [overflow-wrap:anywhere]">{className}, checked and tried in the sandbox</p>
        </div>
        {data?.origin === 'saved' && <Badge tone="good">Saved</Badge>}
      </div>
      <details>
        <summary className="w-fit rounded-sm text-soft hovered:text-ink">Code</summary>
        <pre
          tabIndex={0}
          className="mt-2 max-h-72 overflow-auto rounded-md border border-line bg-sunken p-2.5 font-mono text-xs"
        >
          {code}
        </pre>
      </details>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {!flow.isReadOnly && (
          <Button small disabled={!isKnown} onClick={add}>
            <Plus size={14} aria-hidden="true" /> Add to canvas
          </Button>
        )}
        {data?.origin !== 'saved' && (
          <Button
            small
            look="quiet"
            busy={isBusy}
            title="A new session removes what is not saved"
            onClick={() => void save()}
          >
            Save
          </Button>
        )}
      </div>
    </section>
  );
}
