import type { Json } from '../document.ts';
import type { Finding } from '../validate.ts';
import type { ExportedField, ExportedNode } from './read-export.ts';

const TYPES = new Set(['MCPTools', 'MCPToolsComponent', 'MCP']);
const NAMES_SECRET = /key|token|secret|passw|auth|header|credential/i;

/** Transport and address of the server that an export names in one value. A command that may hold a secret is left out. */
export function mcpServerFields(node: ExportedNode, findings: Finding[]): Readonly<Record<string, ExportedField>> {
  const server = objectIn(node.fields['mcp_server']?.value);
  if (!TYPES.has(node.type) || server === undefined) return {};
  const config = objectIn(server['config']) ?? server;
  const leaveOut = (what: string) =>
    findings.push({
      severity: 'warning',
      code: 'wrong_value',
      node: node.id,
      field: what,
      message: `The ${what} of the MCP server of ${node.id} may hold a secret and is left out.`,
      fix: 'Save the secret as a variable and set credential, or set the command yourself.',
    });
  if (isFilled(config['headers']) || isFilled(config['env'])) leaveOut(isFilled(config['env']) ? 'env' : 'headers');
  const { url, command, args } = config;
  if (typeof url === 'string' && url !== '') return { url: plain(url) };
  if (typeof command !== 'string' || command === '') return {};
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String);
  if (words.some((word) => NAMES_SECRET.test(word))) leaveOut('command');
  const line = words.some((word) => NAMES_SECRET.test(word)) ? '' : words.map(quoted).join(' ');
  return { transport: plain('Command'), command: plain(line) };
}

const plain = (value: string): ExportedField => ({ value, isSecret: false, isVariable: false });

const quoted = (word: string): string => (/^[^\s"']+$/.test(word) ? word : JSON.stringify(word));

const isFilled = (value: Json | undefined): boolean => Object.keys(objectIn(value) ?? {}).length > 0;

function objectIn(value: Json | undefined): Readonly<Record<string, Json>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, Json>)
    : undefined;
}
