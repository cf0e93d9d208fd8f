import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createModels } from '../models.ts';
import type { JsonSchema } from '../request.ts';

interface Toolset {
  readonly toolset: string;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchema;
    readonly answer: unknown;
  }[];
}

interface Paraphrase {
  readonly request: string;
  readonly toolset: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly says?: string;
}

const file = new URL('../../../../tests/models/paraphrases.jsonl', import.meta.url);
const lines = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Toolset | Paraphrase);
const toolsets = new Map(lines.flatMap((line) => ('tools' in line ? [[line.toolset, line.tools] as const] : [])));
const paraphrases = lines.filter((line): line is Paraphrase => 'request' in line);

/** Runs the request through the real tool loop, with the answers of the toolset. */
async function ask({ request, toolset }: Paraphrase) {
  const calls: { name: string; arguments: unknown }[] = [];
  const tools = (toolsets.get(toolset) ?? []).map(({ answer, ...tool }) => ({
    ...tool,
    run: (args: unknown) => {
      calls.push({ name: tool.name, arguments: args });
      return Promise.resolve(answer);
    },
  }));
  const running = createModels({ variables: {} }).stream({ messages: [{ role: 'user', text: request }], tools });
  for (;;) {
    const { done, value } = await running.next();
    if (done === true) return { calls, text: value.text };
  }
}

describe('croft/offline', () => {
  it('has at least 60 requests to pass', () => {
    expect(paraphrases.length).toBeGreaterThanOrEqual(60);
  });

  it.each(paraphrases)('$toolset: $request', async (paraphrase) => {
    const { calls, text } = await ask(paraphrase);
    expect(calls).toEqual(paraphrase.calls);
    expect(text).not.toBe('');
    if (paraphrase.says !== undefined) expect(text).toMatch(new RegExp(paraphrase.says));
  });
});
