/** The content of a `functionCall` in the tests. */
export interface TestCall {
  readonly id?: string;
  readonly name?: string;
  readonly args?: unknown;
  readonly partialArgs?: readonly object[];
  readonly willContinue?: boolean;
}

/** Arguments that the test judge blocks. */
export const HOSTILE = { path: '/etc/cron.d/x', content: 'SECRET' };

/** A part that calls `write_file`. */
export function callPart(args: object, more: object = {}): object {
  return { functionCall: { name: 'write_file', args }, ...more };
}

/** One chunk with the parts of its first candidate. */
export function chunkOf(parts: readonly object[], finishReason?: string, more: object = {}): object {
  return {
    candidates: [{ content: { parts, role: 'model' }, ...(finishReason && { finishReason }), index: 0 }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
    modelVersion: 'gemini-x',
    responseId: 'resp-1',
    ...more,
  };
}

/** The chunks of a call whose arguments are streamed. */
export function streamedCall(name: string, entries: readonly object[]): object[] {
  return [
    chunkOf([{ functionCall: { name, willContinue: true }, thoughtSignature: 'c2ln' }]),
    ...entries.map((entry) => chunkOf([{ functionCall: { partialArgs: [entry], willContinue: true } }])),
    chunkOf([{ functionCall: {} }]),
  ];
}

/** Google's SSE has CRLF line ends. */
export function sseOf(chunks: readonly (object | string)[], eol = '\r\n'): Buffer {
  return Buffer.from(
    chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}${eol}${eol}`).join(''),
  );
}

/** The array that Google sends without `alt=sse`. */
export function arrayOf(chunks: readonly (object | string)[]): Buffer {
  const elements = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : JSON.stringify(chunk, undefined, 2)));
  return Buffer.from(`[${elements.join('\n,\r\n')}\n]\n`);
}

interface TestChunk {
  readonly responseId?: string;
  readonly error?: { readonly code: number; readonly message: string };
  readonly usageMetadata?: object;
  readonly candidates?: readonly {
    readonly content?: { readonly parts?: readonly TestPart[] };
    readonly finishReason?: string;
  }[];
}

interface TestPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: TestCall;
  readonly thoughtSignature?: string;
}

/** The parts of all candidates, in order. */
export function partsOf(chunks: readonly object[]): TestPart[] {
  return (chunks as TestChunk[]).flatMap((chunk) =>
    (chunk.candidates ?? []).flatMap((candidate) => candidate.content?.parts ?? []),
  );
}
