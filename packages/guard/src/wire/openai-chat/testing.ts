import { sseData } from '../testing.ts';

/** Arguments that the test judge blocks. */
export const HOSTILE = '{"path":"/etc/cron.d/x","content":"SECRET"}';

/** One fragment of a choice. */
export interface Delta {
  readonly delta: Record<string, unknown>;
  readonly finish?: string;
  readonly index?: number;
  readonly usage?: object;
}

/** The data of one chunk. */
export const chunk = ({ delta, finish, index = 0, usage }: Delta): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'gpt-x',
    choices: usage ? [] : [{ index, delta, logprobs: null, finish_reason: finish ?? null }],
    ...(usage && { usage }),
  });

/** The bytes of a stream. */
export const sse = (parts: readonly (Delta | string)[], eol = '\n'): Buffer =>
  Buffer.from(parts.map((part) => `data: ${typeof part === 'string' ? part : chunk(part)}${eol}${eol}`).join(''));

/** Text of the model. */
export const text = (content: string): Delta => ({ delta: { content } });
/** A call in fragments. */
export const call = (index: number, name: string, args: string, pieces = 3): Delta[] => [
  { delta: { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] } },
  ...Array.from({ length: pieces }, (_, at): Delta => {
    const size = Math.ceil(args.length / pieces);
    const part = args.slice(at * size, (at + 1) * size);
    return { delta: { tool_calls: [{ index, function: { arguments: part } }] } };
  }),
];
/** The end of a choice. */
export const finish = (reason: string, index = 0): Delta => ({ delta: {}, finish: reason, index });
/** The start of a message. */
export const ROLE: Delta = { delta: { role: 'assistant', content: '' } };
/** The usage, after the end. */
export const USAGE: Delta = { delta: {}, usage: { prompt_tokens: 1, completion_tokens: 2 } };

interface SentChoice {
  readonly index: number;
  readonly delta: {
    content?: string;
    role?: string;
    tool_calls?: { index: number; id?: string; function: { name?: string; arguments?: string } }[];
  };
  readonly finish_reason: string | null;
}
/** The choices in the chunks of a stream. */
export const choicesOf = (out: Buffer): SentChoice[] =>
  sseData(out).flatMap((data) => (data.choices ?? []) as SentChoice[]);
