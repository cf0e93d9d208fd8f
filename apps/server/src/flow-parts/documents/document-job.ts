import type { FeedOptions } from '@croft/components/parse-feed';
import type { Page, PageOptions } from '@croft/components/read-page';

/** A job of the process for documents. The bytes of a document travel beside it. */
export type DocumentJob =
  | { readonly kind: 'read'; readonly format: ReadFormat; readonly maxCharacters: number; readonly maxPages: number }
  | ({ readonly kind: 'page'; readonly url: string } & PageOptions)
  | ({ readonly kind: 'feed' } & FeedOptions)
  | { readonly kind: 'write'; readonly format: WriteFormat; readonly title: string };

export type ReadFormat = 'pdf' | 'docx' | 'xlsx' | 'pptx';
export type WriteFormat = 'html' | 'docx' | 'pptx';

/** The answer of the process: a failure, or the text of a document, or nothing where the bytes are the answer. */
export type DocumentAnswer =
  | { readonly kind: 'read'; readonly text: string; readonly title: string }
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'feed'; readonly rows: readonly Readonly<Record<string, unknown>>[] }
  | { readonly kind: 'written' }
  | { readonly kind: 'failed'; readonly message: string; readonly fix: string };

/** A failure with advice for the person whose document it is. */
export class DocumentProblem extends Error {
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.name = 'DocumentProblem';
    this.fix = fix;
  }
}

/** A message with bytes: the length of the JSON in four bytes, the JSON, the bytes. */
export function packMessage(message: unknown, bytes: Uint8Array): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, bytes]);
}

/** @throws SyntaxError or RangeError for other bytes */
export function unpackMessage(packed: Buffer): { readonly message: unknown; readonly bytes: Buffer } {
  const end = 4 + packed.readUInt32BE(0);
  if (end > packed.length) throw new RangeError('The message is cut.');
  return { message: JSON.parse(packed.subarray(4, end).toString()) as unknown, bytes: packed.subarray(end) };
}
