import type { FlowDocument, FlowNode, Position } from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';
import { freshId } from './add-component.ts';

const TYPE = 'APIRequest';
const MAX_TEXT = 100_000;

/**
 * The HTTP request of a curl command, as a browser or an API's documentation prints it; undefined for another text. The
 * component reads the command itself.
 */
export function curlNode(
  text: string,
  flow: FlowDocument,
  registry: ComponentsRegistry,
  position: Position,
): FlowNode | undefined {
  const command = text.trim().replace(/^\$\s+/, '');
  if (!/^curl\s/.test(command) || command.length > MAX_TEXT || registry.get(TYPE) === undefined) return undefined;
  return { id: freshId(flow, TYPE), type: TYPE, position, values: { mode: 'cURL', curl_input: command } };
}
