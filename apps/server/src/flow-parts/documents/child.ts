// The process that reads and writes one document, and ends. It starts with limits of memory and time, without variables
// of the environment, and gets the document on its standard input.
import { type DocumentAnswer, type DocumentJob, DocumentProblem, packMessage, unpackMessage } from './document-job.ts';

async function carryOut(job: DocumentJob, bytes: Buffer): Promise<{ answer: DocumentAnswer; bytes: Uint8Array }> {
  if (job.kind === 'write') {
    const { writeDocument } = await import('./write-document.ts');
    return { answer: { kind: 'written' }, bytes: await writeDocument(bytes.toString(), job) };
  }
  if (job.kind === 'page') {
    const { readPage } = await import('@croft/components/read-page');
    return { answer: { kind: 'page', page: await readPage(bytes.toString(), job.url, job) }, bytes: Buffer.alloc(0) };
  }
  if (job.kind === 'feed') {
    const { parseFeed } = await import('@croft/components/parse-feed');
    return { answer: { kind: 'feed', rows: await parseFeed(bytes.toString(), job) }, bytes: Buffer.alloc(0) };
  }
  const read =
    job.format === 'pdf'
      ? (await import('./read-pdf.ts')).readPdf(bytes, job)
      : (await import('./read-office.ts')).readOffice(bytes, job.format, job.maxCharacters);
  return { answer: { kind: 'read', ...(await read) }, bytes: Buffer.alloc(0) };
}

/** Libraries write warnings to the console; standard output is the answer alone. */
for (const name of ['log', 'warn', 'info', 'error', 'debug'] as const) console[name] = () => undefined;

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const { message, bytes } = unpackMessage(Buffer.concat(chunks));
let packed: Buffer;
try {
  const done = await carryOut(message as DocumentJob, bytes);
  packed = packMessage(done.answer, done.bytes);
} catch (error) {
  const { message: text, fix } =
    error instanceof Error && 'fix' in error && typeof error.fix === 'string'
      ? (error as DocumentProblem)
      : new DocumentProblem('It cannot be read.', 'Open it in another program and save it again.');
  packed = packMessage({ kind: 'failed', message: text, fix } satisfies DocumentAnswer, Buffer.alloc(0));
}
process.stdout.write(packed, () => process.exit(0));
