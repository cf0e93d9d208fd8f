import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/api.ts';
import { useState } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { ErrorState } from '../ui/state.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../ui/tabs.tsx';

/** The address of this server, as the browser reached it, without a slash at the end. */
const serverUrl = () => new URL('.', document.baseURI).href.replace(/\/+$/, '');

/** The endpoint for MCP clients: with the tools over files, or with those over flows. */
type Endpoint = 'files' | 'flows';

/** The address of an endpoint of this server for MCP clients. */
export const mcpAddress = (over: Endpoint) => `${serverUrl()}${over === 'files' ? '/mcp' : '/mcp/flows'}`;

const clientsQuery = (over: Endpoint) => ({
  ...apiQuery('GET /api/v1/mcp-clients', { query: { url: serverUrl(), over } }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** How each MCP client connects to this server. Without a secret the texts have a placeholder for the key. */
export function ClientConfigs({ secret }: { secret?: string }) {
  const [over, setOver] = useState<Endpoint>('files');
  return (
    <div className="grid min-w-0 grid-cols-1 justify-items-start gap-3 [&>*]:max-w-full">
      <Segmented
        label="Tools of the agent"
        value={over}
        options={[
          { value: 'files', label: 'Files' },
          { value: 'flows', label: 'Flows' },
        ]}
        onChange={setOver}
      />
      <ConfigTabs over={over} secret={secret} />
    </div>
  );
}

function ConfigTabs({ over, secret }: { over: Endpoint; secret: string | undefined }) {
  const { data, error, refetch } = useQuery({ ...clientsQuery(over), placeholderData: keepPreviousData });
  if (error && !data)
    return <ErrorState title="The clients cannot be shown" error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonLines label="Loading the clients" lines={4} />;
  const { placeholder, clients } = data;
  return (
    <Tabs defaultValue={clients[0]?.id} className="w-full min-w-0">
      <TabList aria-label="MCP client" className="max-sm:flex-wrap max-sm:overflow-x-visible">
        {clients.map(({ id, client }) => (
          <Tab key={id} value={id} className="whitespace-nowrap">
            {client}
          </Tab>
        ))}
      </TabList>
      {clients.map(({ id, client, where, text }) => {
        const shown = secret === undefined ? text : text.replaceAll(placeholder, secret);
        return (
          <TabPanel key={id} value={id} className="grid grid-cols-1 gap-2 pt-3">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="min-w-0 text-sm text-soft [overflow-wrap:anywhere]">{where}</p>
              <CopyButton small text={shown} />
            </div>
            <pre
              tabIndex={0}
              role="group"
              aria-label={`Configuration of ${client}`}
              className="overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm whitespace-pre-wrap select-all [overflow-wrap:anywhere]"
            >
              {shown}
            </pre>
          </TabPanel>
        );
      })}
    </Tabs>
  );
}
