import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/api.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/state.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../ui/tabs.tsx';

/** The address of this server, as the browser reached it, without a slash at the end. */
const serverUrl = () => new URL('.', document.baseURI).href.replace(/\/+$/, '');

/** The address of this server for MCP clients. */
export const mcpAddress = () => `${serverUrl()}/mcp`;

const clientsQuery = () => ({
  ...apiQuery('GET /api/v1/mcp-clients', { query: { url: serverUrl() } }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** How each MCP client connects to this server. Without a secret the texts have a placeholder for the key. */
export function ClientConfigs({ secret }: { secret?: string }) {
  const { data, error, refetch } = useQuery(clientsQuery());
  if (error) return <ErrorState title="The clients cannot be shown" error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonLines label="Loading the clients" lines={4} />;
  const { placeholder, clients } = data;
  return (
    <Tabs defaultValue={clients[0]?.id} className="min-w-0">
      <TabList aria-label="MCP client">
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
