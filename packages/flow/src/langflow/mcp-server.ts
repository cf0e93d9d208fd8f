import type { Json } from '../document.ts';
import { redactSecretTexts } from '../redact-flow.ts';
import type { Finding } from '../validate.ts';
import type { ExportedField, ExportedNode } from './read-export.ts';

const TYPES = new Set(['MCPTools', 'MCPToolsComponent', 'MCP']);
const NAMES_SECRET = /key|token|secret|passw|auth|header|credential|pwd|\bpat\b/i;
/** The shortest word of letters and digits that may be a token. */
const MIN_TOKEN = 20;

/**
 * Transport and address of the server that an export names in one value. A command that may hold a secret is left
 * out, and of an address the user, the password, the values of its query and what follows #.
 */
export function mcpServerFields(node: ExportedNode, findings: Finding[]): Readonly<Record<string, ExportedField>> {
  const server = objectIn(node.fields['mcp_server']?.value);
  if (!TYPES.has(node.type) || server === undefined) return {};
  const config = objectIn(server['config']) ?? server;
  const leaveOut = (field: string, what = `The ${field}`) =>
    findings.push({
      severity: 'warning',
      code: 'wrong_value',
      node: node.id,
      field,
      message: `${what} of the MCP server of ${node.id} may hold a secret and is left out.`,
      fix: `Save the secret as a variable and set credential, or set the ${field === 'url' ? 'url' : 'command'} yourself.`,
    });
  if (isFilled(config['headers']) || isFilled(config['env'])) leaveOut(isFilled(config['env']) ? 'env' : 'headers');
  const { url, command, args } = config;
  if (typeof url === 'string' && url !== '') {
    const shown = withoutSecrets(url);
    if (shown !== url) leaveOut('url', 'A part of the url');
    return { url: plain(shown) };
  }
  if (typeof command !== 'string' || command === '') return {};
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String);
  const isSecret = words.some(mayHoldSecret);
  if (isSecret) leaveOut('command');
  const line = isSecret ? '' : words.map(quoted).join(' ');
  return { transport: plain('Command'), command: plain(line) };
}

const mayHoldSecret = (word: string): boolean =>
  NAMES_SECRET.test(word) || withoutSecrets(word) !== word || word.split(/\W+/).some(isLikeToken);

const isLikeToken = (word: string): boolean => word.length >= MIN_TOKEN && /\d/.test(word) && /[a-z]/i.test(word);

/**
 * A text without secrets of known shapes; of an address, also without its user, password, the values of its query and what
 * follows #.
 */
function withoutSecrets(text: string): string {
  const at = text.indexOf('://');
  if (at === -1) return redactSecretTexts(text);
  const [address = '', ...query] = text.slice(at + 3).split('?');
  const end = address.search(/[/#]/);
  const authority = end === -1 ? address : address.slice(0, end);
  const path = end === -1 ? '' : address.slice(end).replace(/#.*/s, '');
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const keys = query.map((part) => `?${part.replace(/=[^&]*/g, '=')}`).join('');
  return redactSecretTexts(`${text.slice(0, at + 3)}${host}${path}${keys}`);
}

const plain = (value: string): ExportedField => ({ value, isSecret: false, isVariable: false });

const quoted = (word: string): string => (/^[^\s"']+$/.test(word) ? word : JSON.stringify(word));

const isFilled = (value: Json | undefined): boolean => Object.keys(objectIn(value) ?? {}).length > 0;

function objectIn(value: Json | undefined): Readonly<Record<string, Json>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, Json>)
    : undefined;
}
