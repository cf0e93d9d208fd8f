import type { DocumentService } from '@croft/components';
import { type DocumentJobOptions, runDocumentJob } from './document-process.ts';

const MAX_PAGES = 5_000;
const MAX_CHARACTERS = 5_000_000;

/** Reads PDF, Word, Excel and PowerPoint files, HTML pages and feeds, and writes documents, each in a process of its own. */
export function createDocuments(options: Omit<DocumentJobOptions, 'signal'> = {}): DocumentService {
  return {
    async read(format, load, signal) {
      const job = { kind: 'read', format, maxCharacters: MAX_CHARACTERS, maxPages: MAX_PAGES } as const;
      const { answer } = await runDocumentJob(job, load, { ...options, signal });
      return answer.kind === 'read' ? { text: answer.text, title: answer.title } : { text: '', title: '' };
    },
    async page(html, url, { format, onlyArticle }, signal) {
      const job = { kind: 'page', url, format, onlyArticle } as const;
      const { answer } = await runDocumentJob(job, async () => Buffer.from(html), { ...options, signal });
      if (answer.kind !== 'page') throw new TypeError('The process for documents gave another answer.');
      return answer.page;
    },
    async feed(text, { url, maxResults }, signal) {
      const job = { kind: 'feed', url, maxResults } as const;
      const { answer } = await runDocumentJob(job, async () => Buffer.from(text), { ...options, signal });
      if (answer.kind !== 'feed') throw new TypeError('The process for documents gave another answer.');
      return answer.rows;
    },
    async write(format, markdown, title, signal) {
      const job = { kind: 'write', format, title } as const;
      return (await runDocumentJob(job, async () => Buffer.from(markdown), { ...options, signal })).bytes;
    },
  };
}
