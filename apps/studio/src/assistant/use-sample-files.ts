import { useQuery, useQueryClient } from '@tanstack/react-query';
import { templatesQuery } from '../api/flows.ts';
import { addSampleFiles, sampleFilesText } from '../flows/sample-files.ts';
import { toastError } from '../ui/toast.tsx';

/** The files with which a flow from a template can be tried: what they are, in a sentence, and what adds them. */
export function useSampleFiles(name: string | undefined) {
  const client = useQueryClient();
  const { data } = useQuery({ ...templatesQuery, enabled: name !== undefined });
  const template = name === undefined ? undefined : data?.find((each) => each.name === name);
  return {
    text: template && sampleFilesText(template),
    /** A failure is shown, and does not keep the flow from the canvas. Returns whether they are there. */
    async add(): Promise<boolean> {
      if (template === undefined || Object.keys(template.files).length === 0) return true;
      const isAdded = await addSampleFiles(template).then(
        () => true,
        (error: unknown) => {
          toastError(error);
          return false;
        },
      );
      await client.invalidateQueries({ queryKey: ['files'] });
      return isAdded;
    },
  };
}
