import { readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { createGuardedFetch } from '../network/guarded-fetch.ts';
import type { Services } from '../services.ts';
import { type LocalServer, runSpec, startServer, textsOf, declaredBy } from '../testing.ts';
import { textToSpeech } from './text-to-speech.ts';

const SOUND = Buffer.from([0xff, 0xfb, 0x90, 0x00, 0x00]);
const { dir, workspace } = useWorkspace();
let server: LocalServer;
let received: {
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}[];
/** The voice `slow` gets no answer, others are refused. */
let onSlow: () => void;
let left: number;

beforeAll(async () => {
  server = await startServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url, headers: request.headers, body });
      const { voice } = JSON.parse(body) as { voice: string };
      response.once('close', () => left++);
      if (voice === 'alloy') response.setHeader('content-type', 'audio/mpeg').end(SOUND);
      else if (voice === 'page') response.setHeader('content-type', 'text/html').end('<p>Sign in');
      else if (voice === 'slow') onSlow();
      else response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"bad key"}');
    });
  });
});
afterAll(() => server.close());
beforeEach(() => {
  received = [];
  left = 0;
});

const speak = (voice: string, services: Partial<Services> = {}, signal?: AbortSignal) =>
  runSpec(
    `nodes:
  I: ChatInput
  S: TextToSpeech
  O: ChatOutput
edges:
  I.message -> S.text
  S.message -> O.input_value
config:
  I.input_value: The wall holds.
  S.file_name: audio/speech
  S.base_url: ${server.url}/v1
  S.credential: KEY
  S.voice: ${voice}
`,
    {
      workspace,
      fetch: createGuardedFetch({ allow: [`127.0.0.1:${server.port}`] }),
      credential: () => ({ value: 'secret', hosts: [server.url] }),
      ...services,
    },
    { runId: 'run-1', ...(signal && { signal }) },
  );

describe('TextToSpeech', () => {
  it('writes the sound of a text as a file, and sends the same key for each attempt', async () => {
    expect((await speak('alloy')).text).toBe("Saved 5 bytes to 'audio/speech.mp3'");
    expect(readFileSync(join(dir, 'audio/speech.mp3'))).toEqual(SOUND);
    const [first] = received;
    expect([first?.path, first?.headers.authorization]).toEqual(['/v1/audio/speech', 'Bearer secret']);
    expect(first?.headers['idempotency-key']).toMatch(/^run-1\//);
    expect(JSON.parse(first?.body ?? '')).toEqual({
      model: 'gpt-4o-mini-tts',
      input: 'The wall holds.',
      voice: 'alloy',
      response_format: 'mp3',
    });
  });

  it('says why the API refused, and writes nothing', async () => {
    rmSync(join(dir, 'audio'), { recursive: true, force: true });
    expect((await speak('wrong')).failure?.message).toBe('The API answered with status 401: {"error":"bad key"}');
    expect((await speak('page')).failure?.message).toContain('status 200: <p>Sign in');
    expect(workspace.list('.').entries).toEqual([]);
  });

  it('sends the credential to its host only', async () => {
    const credential = () => ({ value: 'secret', hosts: ['api.example.com'] });
    expect((await speak('alloy', { credential })).failure?.message).toContain('is not sent');
    expect(received).toEqual([]);
  });

  it('ends its request when the run is cancelled', async () => {
    const abort = new AbortController();
    onSlow = () => abort.abort();
    expect((await speak('slow', {}, abort.signal)).status).toBe('cancelled');
    await expect.poll(() => left).toBe(1);
    expect(workspace.list('.').entries).toEqual([]);
  });
});

it('declares its effects and ports', () => {
  expect(declaredBy(textToSpeech)).toEqual([
    'TextToSpeech: network-write workspace-write',
    'text: multiline Message required toolParameter',
    'file_name: text Message default="speech" toolParameter',
    'voice: text default="alloy" variables=false',
    'format: select default="mp3" of mp3|wav|opus|aac|flac',
    'credential: text default="OPENAI_API_KEY" variables=false',
    'base_url: text advanced default="https://api.openai.com/v1" required variables=false',
    'model: text advanced default="gpt-4o-mini-tts" variables=false',
    'timeout: integer advanced default=120 max=600 min=1',
    'file: gives File',
    'message: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(textToSpeech.descriptor)).toEqual([
    'Text to speech (volume-2): Speaks a text, and writes the sound as a file of the workspace. Uses an API like that of OpenAI.',
    'models | tts | voice | audio | mp3 | speak | OpenAITextToSpeech',
    'text: Text',
    'file_name: File | A path inside the workspace. The ending of the format is added where it has none.',
    'voice: Voice',
    'format: Format',
    'credential: Credential | The name of a variable that is bound to the host. Empty: none is sent.',
    'base_url: Address of the API',
    'model: Model',
    'timeout: Timeout in seconds',
    'file: File',
    'message: Report',
  ]);
});
