import { credentialFor } from '../network/bound-credential.ts';
import { ComponentError, type Services } from '../services.ts';
import type { McpServerName } from './mcp-service.ts';
import { splitCommand } from './split-command.ts';

/** An MCP server as a flow names it: by a command line, or by an address and the name of a credential. */
export type McpServerText =
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'http'; readonly url: string; readonly credential: string };

/** @throws ComponentError for an empty command, and for a credential that is missing or bound to other hosts */
export function mcpServerOf(server: McpServerText, services: Pick<Services, 'credential'>): McpServerName {
  if (server.kind === 'command') {
    const argv = splitCommand(server.command);
    if (argv.length === 0) throw new ComponentError('The command is empty.', 'Set command to a program.');
    return { kind: 'command', argv };
  }
  const [url, credential] = [server.url.trim(), server.credential.trim()];
  return { kind: 'http', url, token: credential === '' ? undefined : credentialFor(services, credential, url) };
}
