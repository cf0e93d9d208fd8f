import { ComponentError } from '../component-error.ts';
import type { FeedOptions } from '../data/parse-feed.ts';
import type { Page, PageOptions } from '../data/read-page.ts';
import type { Row } from '../values.ts';

/** Formats of documents that only a service reads. */
export type ReadableFormat = 'pdf' | 'docx' | 'xlsx' | 'pptx';
export type WritableFormat = 'html' | 'docx' | 'pptx';

/** Reads and writes documents in processes of their own, with limits of time and memory. */
export interface DocumentService {
  /**
   * @param load gives the document when it is read: others may wait before it
   * @throws what `load` throws; ComponentError where the document is damaged, locked or too large; the reason of the signal
   */
  read(
    format: ReadableFormat,
    load: () => Promise<Uint8Array>,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly title: string }>;
  /** Converts a large HTML page. Absent where the process of the caller may be held. @throws as {@link DocumentService.read} */
  page?(html: string, url: string, options: PageOptions, signal: AbortSignal): Promise<Page>;
  /** Parses a large feed. Absent where the process of the caller may be held. @throws as {@link DocumentService.read} */
  feed?(text: string, options: FeedOptions, signal: AbortSignal): Promise<readonly Row[]>;
  /** @throws as {@link DocumentService.read} */
  write(format: WritableFormat, markdown: string, title: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** @throws ComponentError where the run has no such service */
export function requireDocuments({ documents }: { readonly documents?: DocumentService }): DocumentService {
  if (documents) return documents;
  throw new ComponentError(
    'This run cannot read or write documents of this format.',
    'Run the flow with croft run or on a server.',
  );
}
