import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiResponse } from '@croft/server/contract';
import { api, apiQuery } from '../api/api.ts';
import { mcpAddress } from '../mcp-clients/client-configs.tsx';
import { Link } from '../routing/link.tsx';
import { Button } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { TextField } from '../ui/text-field.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { toastError } from '../ui/toast.tsx';

/** The rule of the API. */
const NAME = /^flow_[a-z0-9_]{1,58}$/;
const NAME_RULE = 'Begin with flow_ and use lowercase letters, digits and _, at most 63 characters.';

type Tool = NonNullable<ApiResponse<'GET /api/v1/flows/{id}/tool'>['tool']>;

/** The flow as a tool of its own for agents. Off until the owner publishes it. */
export function AgentToolCard({ flowId, about }: { flowId: string; about: string }) {
  const client = useQueryClient();
  const query = apiQuery('GET /api/v1/flows/{id}/tool', { params: { id: flowId } });
  const { data, error, refetch } = useQuery(query);
  const refresh = () => client.invalidateQueries({ queryKey: query.queryKey });
  const remove = useMutation({
    mutationFn: () => api('DELETE /api/v1/flows/{id}/tool', { params: { id: flowId } }),
    onSuccess: refresh,
    onError: toastError,
  });
  const tool = data?.tool;
  return (
    <Card aria-label="Tool for agents">
      <CardHead
        title="Offer it to agents as a tool"
        about="Agents that are connected to your flows get a tool that runs this one, with its inputs as arguments."
        action={
          tool && (
            <Button busy={remove.isPending} onClick={() => remove.mutate()}>
              Stop offering it
            </Button>
          )
        }
      />
      <CardBody className="grid grid-cols-1 gap-4">
        <FlowsAddress />
        {!data ? (
          <NotLoaded what="tool" error={error} onRetry={() => void refetch()} isInBody />
        ) : (
          <>
            {tool && <ToolInputs tool={tool} />}
            <ToolForm
              key={tool?.name}
              flowId={flowId}
              tool={tool ?? { name: data.suggestion, description: about }}
              isOffered={Boolean(tool)}
              onSaved={refresh}
            />
          </>
        )}
      </CardBody>
    </Card>
  );
}

/** Where agents find the tool. Agents connected to the files of the server do not. */
function FlowsAddress() {
  const address = mcpAddress('flows');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-[1_1_16rem] text-sm text-soft">
        Agents find it at <code className="font-mono text-ink select-all [overflow-wrap:anywhere]">{address}</code>.{' '}
        <Link to="/connect" className="text-accent-strong underline underline-offset-2">
          Connect an agent
        </Link>
      </p>
      <CopyButton small text={address} label="Copy address" />
    </div>
  );
}

function ToolInputs({ tool: { inputs, name } }: { tool: Tool }) {
  return (
    <div className="rounded-md border border-line bg-sunken px-3 py-2.5 text-sm">
      <p>
        Agents see <code className="font-mono">{name}</code>
        {inputs.length === 0 ? ', which takes no arguments.' : ', with these arguments:'}
      </p>
      {inputs.length > 0 && (
        <ul className="mt-1.5 grid grid-cols-1 gap-1">
          {inputs.map((input) => (
            <li key={input.name} className="[overflow-wrap:anywhere]">
              <code className="font-mono">{input.name}</code>{' '}
              <span className="text-soft">
                {input.type}
                {input.required ? '' : ', optional'}
                {input.description === '' ? '' : ` · ${input.description}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ToolForm({
  flowId,
  tool,
  isOffered,
  onSaved,
}: {
  flowId: string;
  tool: Pick<Tool, 'name' | 'description'>;
  isOffered: boolean;
  onSaved: () => Promise<void>;
}) {
  const [name, setName] = useState(tool.name);
  const [description, setDescription] = useState(tool.description);
  const save = useMutation({
    mutationFn: () =>
      api('PUT /api/v1/flows/{id}/tool', {
        params: { id: flowId },
        body: { name: name.trim(), description: description.trim() },
      }),
    onSuccess: onSaved,
  });
  const [isRefused, setIsRefused] = useState(false);
  const isName = NAME.test(name.trim());
  function submit(event: FormEvent) {
    event.preventDefault();
    setIsRefused(!isName);
    if (isName && !save.isPending) save.mutate();
  }
  return (
    <form onSubmit={submit} className="grid items-start gap-3 sm:grid-cols-[14rem_minmax(0,1fr)_auto]">
      <TextField
        label="Name of the tool"
        error={isRefused && !isName ? NAME_RULE : undefined}
        required
        spellCheck={false}
        value={name}
        onText={setName}
      />
      <TextField
        label="When to use it"
        error={save.error ? sentenceOf(save.error) : undefined}
        required
        maxLength={1_000}
        placeholder="Summarises a web page"
        value={description}
        onText={setDescription}
      />
      <Button type="submit" busy={save.isPending} className="sm:mt-[1.625rem]">
        {isOffered ? 'Save' : 'Offer it'}
      </Button>
    </form>
  );
}
