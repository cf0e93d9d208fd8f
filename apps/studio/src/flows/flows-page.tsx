import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArchiveRestore, BotMessageSquare, Import, Plus, SearchX, Workflow } from 'lucide-react';
import { type DragEvent, useDeferredValue, useRef, useState } from 'react';
import {
  deletedFlowsQuery,
  type Finding,
  flowsQuery,
  type FlowSummary,
  flowTagsQuery,
  type FullFlow,
} from '../api/flows.ts';
import { navigate, usePlace } from '../routing/location.ts';
import { PageHead } from '../shell/page-head.tsx';
import { Button } from '../ui/button.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { ShowMore } from '../ui/show-more.tsx';
import { Card } from '../ui/card.tsx';
import { cn } from '../ui/class-names.ts';
import { EmptyState, sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { DeletedDialog } from './deleted-dialog.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { FlowList } from './flow-list.tsx';
import { FlowSearch } from './flow-search.tsx';
import { runsByItself } from './flow-triggers.tsx';
import { ImportedDialog } from './imported-dialog.tsx';
import { NewFlowDialog } from './new-flow-dialog.tsx';
import { TagDialog } from './tag-dialog.tsx';
import { TagFilter, TriggeredFilter } from './tag-filter.tsx';
import { useFlowActions } from './use-flow-actions.ts';

/** The list of flows: start reading here. */
export function FlowsPage() {
  const actions = useFlowActions();
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const { query: filters } = usePlace();
  const tag = filters.get('tag') ?? '';
  const isTriggered = filters.get('triggered') === 'true';
  const query = useInfiniteQuery({ ...flowsQuery(search, tag, isTriggered), placeholderData: keepPreviousData });
  const { data: tags = [] } = useQuery(flowTagsQuery);
  const [tagged, setTagged] = useState<FlowSummary>();
  const [renamed, setRenamed] = useState<FlowSummary>();
  const [isChoosing, setIsChoosing] = useState(false);
  const [isRestoring, setIsRestoring] = useState(false);
  const deleted = useQuery(deletedFlowsQuery);
  const [imported, setImported] = useState<{ flow: FullFlow; findings: readonly Finding[] }>();
  const picker = useRef<HTMLInputElement>(null);
  const flows = query.data?.pages.flatMap((page) => page.flows) ?? [];
  const isEmpty = query.data !== undefined && flows.length === 0 && search === '' && tag === '' && !isTriggered;
  const hasTriggered = isTriggered || query.hasNextPage || flows.some(runsByItself);
  async function take(file: File | undefined) {
    if (!file) return;
    try {
      const made = await actions.importFile(file);
      if (made.findings.length > 0) setImported(made);
      else actions.open(made.flow);
    } catch (error) {
      toast({ tone: 'bad', text: `${file.name} was not imported. ${sentenceOf(error)}`, stayMs: 15_000 });
    }
  }
  const pick = () => picker.current?.click();
  const add = (
    <>
      <Button onClick={pick}>
        <Import size={17} aria-hidden="true" /> Import
      </Button>
      <Button look={isEmpty ? 'plain' : 'primary'} onClick={() => setIsChoosing(true)}>
        <Plus size={17} aria-hidden="true" /> New flow
      </Button>
    </>
  );
  return (
    <div
      className="mx-auto grid w-full max-w-6xl grid-cols-1 content-start gap-4 p-4 md:p-8"
      {...dropFile((file) => void take(file))}
    >
      <PageHead
        title="Flows"
        about="A flow connects components, such as a message, a model and a file, and runs them in order."
        actions={!isEmpty && add}
      />
      <input
        ref={picker}
        type="file"
        accept=".json,.yaml,.yml,.txt"
        hidden
        aria-hidden="true"
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      {!isEmpty && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <FlowSearch text={text} onText={setText} />
          {hasTriggered && (
            <TriggeredFilter isChosen={isTriggered} onChoose={(next) => navigate(listPath(tag, next))} />
          )}
          <TagFilter tags={tags} chosen={tag} onChoose={(next) => navigate(listPath(next, isTriggered))} />
        </div>
      )}
      <Card aria-label="Flows" className={cn('overflow-clip', flows.length === 0 && 'min-h-64')}>
        {!query.data ? (
          <NotLoaded what="flows" error={query.error} onRetry={() => void query.refetch()} lines={5} />
        ) : isEmpty ? (
          <EmptyState
            icon={<Workflow size={22} />}
            title="No flows yet"
            action={
              <>
                <Button look="primary" onClick={() => void actions.describe()}>
                  <BotMessageSquare size={17} aria-hidden="true" /> Describe it to the assistant
                </Button>
                {add}
              </>
            }
          >
            Say what the flow should do, or start from a template. Most templates run without any key. You can also drop
            a flow file here, from Croft or Langflow.
          </EmptyState>
        ) : flows.length === 0 ? (
          <EmptyState icon={<SearchX size={22} />} title={noneText(search, tag, isTriggered)} />
        ) : (
          <FlowList
            flows={flows}
            onRename={setRenamed}
            onTag={setTagged}
            onDuplicate={(flow) => void actions.duplicate(flow)}
            onExport={(flow) => void actions.exportFlow(flow)}
            onDelete={(flow) => void actions.remove(flow)}
          />
        )}
      </Card>
      <ShowMore query={query} />
      {(deleted.data?.length ?? 0) > 0 && (
        <Button look="quiet" className="justify-self-start text-soft" onClick={() => setIsRestoring(true)}>
          <ArchiveRestore size={16} aria-hidden="true" /> Recently deleted
        </Button>
      )}
      {isChoosing && (
        <NewFlowDialog
          onCreate={actions.create}
          onDescribe={() => void actions.describe()}
          onClose={() => setIsChoosing(false)}
        />
      )}
      {renamed && (
        <DetailsDialog
          details={renamed}
          onSave={(changed) => actions.rename(renamed, changed)}
          onClose={() => setRenamed(undefined)}
        />
      )}
      {tagged && (
        <TagDialog
          flow={tagged}
          known={tags.map(({ name }) => name)}
          onSave={(next) => actions.setTags(tagged, next)}
          onClose={() => setTagged(undefined)}
        />
      )}
      {imported && (
        <ImportedDialog
          {...imported}
          onOpen={() => actions.open(imported.flow)}
          onClose={() => setImported(undefined)}
        />
      )}
      {isRestoring && <DeletedDialog onRestore={actions.restore} onClose={() => setIsRestoring(false)} />}
    </div>
  );
}

/** The address of the list with its filters. */
function listPath(tag: string, isTriggered: boolean): string {
  const filters = [
    ...(tag === '' ? [] : [`tag=${encodeURIComponent(tag)}`]),
    ...(isTriggered ? ['triggered=true'] : []),
  ];
  return filters.length === 0 ? '/flows' : `/flows?${filters.join('&')}`;
}

/** Says that no flow is in a filtered list. */
function noneText(search: string, tag: string, isTriggered: boolean): string {
  if (isTriggered) return search === '' && tag === '' ? 'No flow runs by itself' : 'No such flow runs by itself';
  return search === '' ? 'No flow has this tag' : 'No flow has this name';
}

/** Takes one file that is dropped anywhere on the page. The button Import does the same without a mouse. */
function dropFile(take: (file: File | undefined) => void) {
  const hasFile = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return {
    onDragOver: (event: DragEvent) => hasFile(event) && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      take(event.dataTransfer.files[0]);
    },
  };
}
