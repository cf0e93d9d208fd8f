import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ClientConfigs, mcpAddress } from '../mcp-clients/client-configs.tsx';
import { NewKeyDialog } from '../mcp-clients/new-key-dialog.tsx';
import { Link } from '../routing/link.tsx';
import { Button } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';

/** Connects an MCP client to this server: the address, the configuration of each client, and a key. */
export function AgentCard() {
  const [making, setMaking] = useState(false);
  return (
    <Card aria-label="Agents">
      <CardHead
        title="Connect an agent"
        about={
          <>
            Claude Code, Cursor, VS Code, Codex and other MCP clients use your files at <Address over="files" />. At{' '}
            <Address over="flows" />, they build and run your flows, and get the flows that you offer as tools. Add both
            if you need both.
          </>
        }
      />
      <CardBody className="grid grid-cols-1 gap-4">
        <ClientConfigs />
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
          <p className="min-w-0 flex-[1_1_14rem] text-sm text-soft">
            Replace <code className="font-mono text-ink">croft_…</code> with an API key. A new key comes with the
            finished text for each client. Revoke keys under{' '}
            <Link to="/settings/keys" className="text-accent-strong underline underline-offset-2">
              API keys
            </Link>
            .
          </p>
          <Button small onClick={() => setMaking(true)}>
            <Plus size={16} aria-hidden="true" /> New key
          </Button>
        </div>
      </CardBody>
      {making && <NewKeyDialog onClose={() => setMaking(false)} />}
    </Card>
  );
}

function Address({ over }: { over: 'files' | 'flows' }) {
  return <code className="font-mono text-ink select-all [overflow-wrap:anywhere]">{mcpAddress(over)}</code>;
}
