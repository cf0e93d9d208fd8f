import { whenReady } from '@croft/workspace';
import { credentialFor } from '../network/bound-credential.ts';
import { request } from '../network/request.ts';
import { ComponentError, type CroftComponent, requireWorkspace } from '../services.ts';
import { fileNameField } from '../files/file-name-field.ts';
import { fileValue } from '../files/file-value.ts';
import { message, toText } from '../values.ts';

const MAX_BYTES = 50 * 1024 * 1024;
const MAX_REASON = 500;

/** Speech of a text as an audio file of the workspace. */
export const textToSpeech: CroftComponent = {
  descriptor: {
    type: 'TextToSpeech',
    label: 'Text to speech',
    description: 'Speaks a text, and writes the sound as a file of the workspace. Uses an API like that of OpenAI.',
    category: 'models',
    icon: 'volume-2',
    keywords: ['tts', 'voice', 'audio', 'mp3', 'speak'],
    aliases: ['OpenAITextToSpeech'],
    effects: ['network-write', 'workspace-write'],
    fields: [
      {
        name: 'text',
        label: 'Text',
        kind: 'multiline',
        accepts: ['Message'],
        required: true,
        toolParameter: true,
      },
      fileNameField('speech'),
      { name: 'voice', label: 'Voice', kind: 'text', default: 'alloy', variables: false },
      {
        name: 'format',
        label: 'Format',
        kind: 'select',
        options: ['mp3', 'wav', 'opus', 'aac', 'flac'],
        default: 'mp3',
      },
      {
        name: 'credential',
        label: 'Credential',
        kind: 'text',
        default: 'OPENAI_API_KEY',
        variables: false,
        help: 'The name of a variable that is bound to the host. Empty: none is sent.',
      },
      {
        name: 'base_url',
        label: 'Address of the API',
        kind: 'text',
        default: 'https://api.openai.com/v1',
        required: true,
        variables: false,
        advanced: true,
      },
      { name: 'model', label: 'Model', kind: 'text', default: 'gpt-4o-mini-tts', variables: false, advanced: true },
      { name: 'timeout', label: 'Timeout in seconds', kind: 'integer', default: 120, min: 1, max: 600, advanced: true },
    ],
    outputs: [
      { name: 'file', label: 'File', types: ['File'] },
      { name: 'message', label: 'Report', types: ['Message'] },
    ],
  },
  async run({ inputs, services, signal, stepKey }) {
    const workspace = requireWorkspace(services);
    const name = toText(inputs['file_name']).trim();
    const path = /\.[a-z0-9]{2,4}$/i.test(name) ? name : `${name}.${String(inputs['format'])}`;
    const base = toText(inputs['base_url']).trim();
    const url = URL.canParse(base) ? new URL('audio/speech', base.replace(/\/*$/, '/')).href : base;
    const credential = toText(inputs['credential'] ?? '').trim();
    const response = await request(services, url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // A server can recognise a request that an interrupted run repeats.
        ...(!stepKey.startsWith('/') && { 'idempotency-key': stepKey }),
        ...(credential !== '' && { authorization: `Bearer ${credentialFor(services, credential, url)}` }),
      },
      body: JSON.stringify({
        model: toText(inputs['model']),
        input: toText(inputs['text']),
        voice: toText(inputs['voice']),
        response_format: inputs['format'],
      }),
      timeoutMs: Number(inputs['timeout']) * 1_000,
      maxBytes: MAX_BYTES,
      signal,
    });
    const type = response.headers.get('content-type') ?? '';
    if (response.status !== 200 || /json|html|^text\//i.test(type))
      throw new ComponentError(
        `The API answered with status ${response.status}: ${response.body.toString('utf8', 0, MAX_REASON)}`,
        'Check the address, the credential, the model and the voice.',
      );
    const { version, bytesWritten } = await whenReady(() => workspace.write(path, response.body), signal);
    return { file: fileValue(path, version), message: message(`Saved ${bytesWritten} bytes to '${path}'`) };
  },
};
