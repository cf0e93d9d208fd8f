/** Numbers of each scripted vector. */
const DIMENSIONS = 4;
/** Tokens that OpenAI's protocol reports for each text. */
const TOKENS_OF_TEXT = 3;

export const isEmbedding = (path: string): boolean => /\/embeddings$|:(batchEmbedContents|embedContent)$/.test(path);

/** Vectors that differ by text: counts of four letters, not of unit length. In OpenAI's or Google's protocol. */
export function embeddingsOf(path: string, body: string): object {
  const request = JSON.parse(body) as {
    readonly input?: readonly string[];
    readonly requests?: readonly { readonly content: Content }[];
    readonly content?: Content;
  };
  if (request.input !== undefined)
    return {
      data: request.input.map((text, index) => ({ index, embedding: vectorOf(text) })),
      usage: { prompt_tokens: request.input.length * TOKENS_OF_TEXT },
    };
  const values = (content: Content) => ({ values: vectorOf(content.parts[0]?.text ?? '') });
  return path.endsWith(':embedContent')
    ? { embedding: values(request.content as Content) }
    : { embeddings: request.requests?.map(({ content }) => values(content)) };
}

interface Content {
  readonly parts: readonly { readonly text: string }[];
}

const vectorOf = (text: string): number[] =>
  Array.from({ length: DIMENSIONS }, (_, at) => 1 + text.split('aeio'[at] as string).length);
