import type { FlowTemplate } from '../api/flows.ts';
import { readTextFile } from '../api/files.ts';
import { ApiError } from '../api/request.ts';
import { upload } from '../api/upload.ts';
import { toast } from '../ui/toast.tsx';

/** Says which files a template adds to those of the user; undefined where it adds none. */
export function sampleFilesText({ files }: Pick<FlowTemplate, 'files'>): string | undefined {
  const names = Object.keys(files);
  return names.length === 0 ? undefined : `Adds ${names.join(' and ')} to your files.`;
}

/** Stores the files that a template reads. A file that exists stays as it is; where its content is another one, the page says so. */
export async function addSampleFiles({ files }: Pick<FlowTemplate, 'files'>): Promise<void> {
  const kept: string[] = [];
  const { signal } = new AbortController();
  for (const [path, content] of Object.entries(files)) {
    try {
      const body = new Blob([content]);
      await upload({
        path,
        body,
        overwrite: false,
        permanent: false,
        by: 'template',
        onProgress: () => undefined,
        signal,
      });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'exists')) throw error;
      const isOther = await readTextFile(path, signal).then(
        ({ text }) => text !== content,
        () => true,
      );
      if (isOther) kept.push(path);
    }
  }
  if (kept.length > 0)
    toast({
      text: `Your own ${kept.join(' and ')} stayed. The template fits other content: check its columns and fields.`,
    });
}
