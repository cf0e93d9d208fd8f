import type { FlowDocument } from '@croft/flow';
import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { ComponentsRegistry } from '../api/flows.ts';
import { keptDocumentQuery, restorePointsQuery } from '../api/restore-points.ts';
import type { EditStore } from '../canvas/edit-state.ts';
import { offerUndo } from '../canvas/step-toast.ts';
import type { Apply } from '../canvas/use-flow-edits.ts';
import { FlowHead } from '../flows/flow-head.tsx';
import { navigate } from '../routing/location.ts';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/state.tsx';
import { DiffCanvas, type DiffInstance } from './diff-canvas.tsx';
import { DiffList } from './diff-list.tsx';
import { diffFlows } from './flow-diff.ts';
import { KeepVersion } from './keep-version.tsx';
import { PointList } from './point-list.tsx';

/** The kept versions of a flow. Each can be compared with another one or with the flow as it is now, and restored. */
export function VersionsView({
  id,
  flow,
  registry,
  isReadOnly,
  edits,
  apply,
}: {
  id: string;
  /** As it is now, with edits that are not saved yet. */
  flow: FlowDocument;
  registry: ComponentsRegistry;
  isReadOnly: boolean;
  edits: EditStore;
  apply: Apply;
}) {
  const points = useQuery(restorePointsQuery(id));
  const [chosen, setChosen] = useState<string>();
  const [other, setOther] = useState<string>();
  const drawing = useRef<DiffInstance>(undefined);
  const list = points.data ?? [];
  const point = list.find((each) => each.id === chosen) ?? list[0];
  const later = list.find((each) => each.id === other && each.id !== point?.id);
  const kept = useQuery({ ...keptDocumentQuery(id, point?.id ?? ''), enabled: point !== undefined });
  const compared = useQuery({ ...keptDocumentQuery(id, later?.id ?? ''), enabled: later !== undefined });
  const [before, after] = [kept.data, later === undefined ? flow : compared.data];
  const diff = useMemo(() => before && after && diffFlows(before, after, registry), [before, after, registry]);
  function restore() {
    if (point === undefined || kept.data === undefined) return;
    const { version: _, ...content } = kept.data;
    if (!apply([{ kind: 'set_flow', flow: content }])) return;
    navigate(`/flows/${id}`);
    offerUndo(edits, `Restored “${point.name}”.`);
  }
  function show(item: string) {
    void drawing.current?.fitView({ nodes: [{ id: item }], maxZoom: 1, padding: 0.6 });
  }
  const failed = [points, kept, compared].filter(({ error }) => error);
  return (
    <div className="flex flex-col md:h-dvh">
      <FlowHead id={id} name={flow.name} />
      <div className="grid min-h-0 grow grid-cols-1 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-h-0 max-lg:h-[45dvh] max-lg:border-b max-lg:border-line">
          {before && after && diff ? (
            <DiffCanvas
              key={`${point?.id} ${later?.id}`}
              before={before}
              after={after}
              registry={registry}
              diff={diff}
              onReady={(instance) => {
                drawing.current = instance;
              }}
            />
          ) : failed[0] ? (
            <ErrorState
              title="The versions cannot be shown"
              error={failed[0].error}
              onRetry={() => failed.forEach((each) => void each.refetch())}
            />
          ) : points.data && !point ? (
            <EmptyState icon={<History size={22} />} title="No versions kept yet">
              Keep a version before a larger change. You can compare it with the flow later, and restore it.
            </EmptyState>
          ) : (
            <div className="p-5">
              <SkeletonLines label="Loading the versions" lines={5} />
            </div>
          )}
        </div>
        <div className="grid min-h-0 grid-cols-1 content-start gap-6 overflow-y-auto border-line bg-surface p-4 lg:border-l">
          {!isReadOnly && <KeepVersion id={id} edits={edits} onKept={setChosen} />}
          {point && (
            <PointList
              id={id}
              points={list}
              chosen={point}
              other={later}
              isReadOnly={isReadOnly}
              onChoose={setChosen}
              onCompare={setOther}
              onRestore={kept.data && restore}
            />
          )}
          {diff && <DiffList diff={diff} onShow={show} />}
        </div>
      </div>
    </div>
  );
}
