import type { Models } from '@croft/models';

/** Calls a tool of the assistant and gives its result. @throws where the tool refuses */
export type Call = (
  tool: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, unknown>>>;

/** Models of which the only one takes a message for a request of this scope, and then does `work` with tools. */
export function modelThat(scope: 'new' | 'edit', work: (call: Call) => Promise<void>): Models {
  let isUnderstood = false;
  const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
  return {
    providers: [],
    preferred: { provider: 'Scripted', name: 'script' },
    secrets: [],
    embed: () => Promise.reject(new Error('the script has no vectors')),
    async *stream(request) {
      const text = isUnderstood ? 'Done.' : `{"intent": "build_flow", "scope": "${scope}"}`;
      if (isUnderstood)
        await work(async (tool, args) => {
          const found = request.tools?.find(({ name }) => name === tool);
          const result = (await found?.run(args, new AbortController().signal)) as Record<string, unknown> | undefined;
          if (result === undefined || result['error'] !== undefined)
            throw new Error(`${tool} ${JSON.stringify(args).slice(0, 500)}: ${JSON.stringify(result)}`);
          return result;
        });
      isUnderstood = true;
      yield { kind: 'text', text };
      return { text, model: { provider: 'Scripted', name: 'script' }, usage, finish: 'stop' };
    },
  };
}
