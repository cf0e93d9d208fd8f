import { useMutation, useQuery } from '@tanstack/react-query';
import { BotMessageSquare, FilePlus, Globe, KeyRound, Sparkles } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { assistantConfigQuery } from '../api/assistant.ts';
import { type FlowTemplate, templatesQuery } from '../api/flows.ts';
import { Link } from '../routing/link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { Callout, ErrorState, sentenceOf } from '../ui/state.tsx';
import { ThumbPicture } from './flow-thumb.tsx';
import { FlowSearch } from './flow-search.tsx';
import { findTemplates, orderTemplates } from './order-templates.ts';
import { templateTitle } from './read-flow-file.ts';
import { sampleFilesText } from './sample-files.ts';
import { thumbOf } from './thumb.ts';

/** Offers an empty flow and the templates. */
export function NewFlowDialog({
  onCreate,
  onDescribe,
  onClose,
}: {
  onCreate: (template?: FlowTemplate) => Promise<void>;
  /** Opens an empty flow with the assistant. */
  onDescribe: () => void;
  onClose: () => void;
}) {
  const { data, error, isPending, refetch } = useQuery(templatesQuery);
  // The order depends on it: the list appears with both, so that no template moves under the pointer.
  const { data: config, isPending: isConfigPending } = useQuery(assistantConfigQuery);
  const [search, setSearch] = useState('');
  const templates =
    isConfigPending || !data ? [] : findTemplates(orderTemplates(data, config?.configured !== false), search);
  // Choices that move when the others appear are chosen by accident.
  const isReady = !isPending && !isConfigPending;
  const make = useMutation({ mutationFn: onCreate });
  const choose = (template?: FlowTemplate) => {
    if (!make.isPending) make.mutate(template);
  };
  return (
    <Dialog
      open
      wide
      title="New flow"
      about="Describe it, start from a template and run it at once, or start empty."
      onClose={onClose}
    >
      <div className="grid gap-4" aria-busy={make.isPending}>
        {make.error && (
          <Callout tone="bad" role="alert">
            {sentenceOf(make.error)}
          </Callout>
        )}
        {config?.configured === false && (
          <Callout icon={<KeyRound size={16} />}>
            No model provider is set up. Templates that use a model run with{' '}
            <span className="font-mono text-xs">croft/offline</span>, which answers simple requests by rules.{' '}
            <Link to="/settings/providers" className="underline underline-offset-2">
              Set up a provider
            </Link>
          </Callout>
        )}
        <FlowSearch text={search} onText={setSearch} label="Search templates" />
        <ul className="grid gap-2 sm:grid-cols-2">
          {isReady && search.trim() === '' && (
            <>
              <Choice
                title="Describe it to the assistant"
                onChoose={onDescribe}
                picture={<BotMessageSquare size={18} aria-hidden="true" />}
              >
                It builds a flow from your words, and runs it if you ask for that.
              </Choice>
              <Choice title="Empty flow" onChoose={() => choose()} picture={<FilePlus size={18} aria-hidden="true" />}>
                No components yet.
              </Choice>
            </>
          )}
          {templates.map((template) => (
            <Choice
              key={template.name}
              title={templateTitle(template)}
              onChoose={() => choose(template)}
              picture={<Picture of={template.picture} />}
            >
              {template.description} <Needs template={template} />
            </Choice>
          ))}
        </ul>
        {data && !isConfigPending && templates.length === 0 && (
          <p className="text-soft">No template has these words.</p>
        )}
        {!isReady && <SkeletonLines label="Loading the templates" lines={6} />}
        {error && !data && (
          <ErrorState title="The templates cannot be shown" error={error} onRetry={() => void refetch()} />
        )}
      </div>
    </Dialog>
  );
}

function Choice({
  title,
  picture,
  onChoose,
  children,
}: {
  title: string;
  picture: ReactNode;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <li>
      <button
        type="button"
        onClick={onChoose}
        className="flex h-full w-full items-start gap-3 rounded-lg border border-line bg-surface p-3 text-left transition-colors duration-100 hovered:border-accent hovered:bg-hover"
      >
        <span className="grid h-14 w-20 shrink-0 place-items-center overflow-clip rounded-md border border-line bg-sunken text-accent">
          {picture}
        </span>
        <span className="grid min-w-0 gap-0.5">
          <span className="font-medium">{title}</span>
          <span className="text-sm text-soft">{children}</span>
        </span>
      </button>
    </li>
  );
}

function Picture({ of }: { of: FlowTemplate['picture'] }) {
  const thumb = thumbOf(of);
  return thumb && <ThumbPicture thumb={thumb} />;
}

/** The needs of a template, and the files that it adds. */
function Needs({ template: { files, needsNetwork, usesModel } }: { template: FlowTemplate }) {
  const added = sampleFilesText({ files });
  return (
    <>
      {added !== undefined && <>{added} </>}
      {(usesModel || needsNetwork) && (
        <span className="mt-2 flex flex-wrap gap-1.5">
          {usesModel && (
            <Badge>
              <Sparkles size={12} aria-hidden="true" /> uses a model
            </Badge>
          )}
          {needsNetwork && (
            <Badge>
              <Globe size={12} aria-hidden="true" /> needs the internet
            </Badge>
          )}
        </span>
      )}
    </>
  );
}
