import { generateText, type LanguageModel, stepCountIs, streamText, type ToolSet, tool } from 'ai';
import { expect } from 'vitest';
import { z } from 'zod';

/** The tools of an agent that writes files; `ran` receives the path of each call that runs. */
export function aiToolsWith(ran: (path: string) => void) {
  return {
    write_file: tool({
      inputSchema: z.object({ path: z.string() }),
      execute: ({ path }) => {
        ran(path);
        return 'written';
      },
    }),
  };
}

/** The errors of a stream of the AI SDK that was read to its end. */
export async function streamErrors(
  request: Omit<Parameters<typeof streamText<ToolSet>>[0], 'onError'>,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  const options = { ...request, maxRetries: 0, onError: ({ error }: { error: unknown }) => void errors.push(error) };
  await streamText(options as Parameters<typeof streamText<ToolSet>>[0]).consumeStream();
  return errors;
}

/** Tool loops of the AI SDK that end after `steps` requests; `run` returns the last text. */
export function aiLoops(model: () => LanguageModel, tools: ToolSet, steps = 5) {
  const request = () => ({ model: model(), prompt: 'write', tools, stopWhen: stepCountIs(steps), maxRetries: 0 });
  return {
    'AI SDK generateText': { streamed: false, run: async () => (await generateText(request())).text },
    'AI SDK streamText': {
      streamed: true,
      run: async () => {
        const errors: unknown[] = [];
        const result = streamText({ ...request(), onError: ({ error }) => void errors.push(error) });
        const text = await result.text;
        expect(errors).toEqual([]);
        return text;
      },
    },
  };
}
