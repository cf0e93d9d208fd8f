import type { Descriptor, Field } from '@croft/flow';

const pairs = [
  { name: 'key', label: 'Name', kind: 'text' },
  { name: 'value', label: 'Value', kind: 'text' },
] as const;

const inUrlMode: Pick<Field, 'showWhen'> = { showWhen: { field: 'mode', is: ['URL'] } };

/** The fields and outputs of the HTTP request. */
export const httpRequestDescriptor: Descriptor = {
  type: 'APIRequest',
  label: 'HTTP request',
  description: 'Sends a request to an HTTP API and gives the response. Private and local addresses are refused.',
  category: 'data',
  icon: 'globe',
  keywords: ['http', 'rest', 'api', 'curl', 'webhook'],
  aliases: ['HTTPRequest'],
  effects: ['network-write'],
  fields: [
    { name: 'mode', label: 'Mode', kind: 'select', options: ['URL', 'cURL'], default: 'URL' },
    {
      name: 'url_input',
      label: 'Address',
      kind: 'text',
      accepts: ['Message'],
      required: true,
      toolParameter: true,
      placeholder: 'https://api.example.com/items',
      ...inUrlMode,
    },
    {
      name: 'curl_input',
      label: 'curl command',
      kind: 'multiline',
      required: true,
      variables: false,
      help: 'Paste the command. Files and options that change certificates are not supported.',
      showWhen: { field: 'mode', is: ['cURL'] },
    },
    {
      name: 'method',
      label: 'Method',
      kind: 'select',
      options: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
      default: 'GET',
      ...inUrlMode,
    },
    { name: 'query_params', label: 'Query', kind: 'key-value', accepts: ['Data'], advanced: true, ...inUrlMode },
    {
      name: 'body',
      label: 'Body',
      kind: 'table',
      accepts: ['Data', 'Message'],
      columns: pairs,
      help: 'Names and values become a JSON object. A connected message is sent as text.',
      showWhen: { field: 'method', is: ['POST', 'PATCH', 'PUT', 'DELETE'] },
    },
    { name: 'headers', label: 'Headers', kind: 'table', columns: pairs, advanced: true, ...inUrlMode },
    {
      name: 'credential',
      label: 'Credential',
      kind: 'text',
      variables: false,
      default: '',
      help: 'The name of a credential. It is sent only to the hosts that it is bound to.',
    },
    {
      name: 'credential_header',
      label: 'Header of the credential',
      kind: 'text',
      variables: false,
      default: 'Authorization',
      advanced: true,
      help: 'Authorization sends the credential as a bearer token.',
    },
    {
      name: 'credential_hosts',
      label: 'Hosts of sensitive headers',
      kind: 'text',
      variables: false,
      default: '',
      advanced: true,
      help: 'Hosts that may receive headers such as Authorization and Cookie over https, separated by commas.',
    },
    { name: 'timeout', label: 'Timeout in seconds', kind: 'integer', default: 30, min: 1, max: 600, advanced: true },
    {
      name: 'follow_redirects',
      label: 'Follow redirects',
      kind: 'switch',
      default: false,
      advanced: true,
      help: 'Each target is checked. Credentials are not sent to another host.',
      ...inUrlMode,
    },
  ],
  outputs: [
    { name: 'data', label: 'Response', types: ['Data'], help: 'source, status_code, response_headers, result' },
  ],
};
