// Text forms of flows that several test files use.

/** Waits until a person approves its message. */
export const ASKS = `name: Asks
nodes:
  I: ChatInput
  H: HumanApproval
  O: ChatOutput
edges:
  I.message -> H.value
  H.approved -> O.input_value
`;

/** Answers with a line for each row of a file. Without a path, the run fails. */
export const readsRows = (pattern: string, path?: string) => `name: Reads
nodes:
  R: ReadData
  P: ParserComponent
  O: ChatOutput
edges:
  R.dataframe -> P.input_data
  P.parsed_text -> O.input_value
config:
  P.pattern: "${pattern}"
${path === undefined ? '' : `  R.path: ${path}\n`}`;

/** Says the word of a text: `Say hello`. */
export const GREETS = `name: Greets
nodes:
  T: TextInput
  G: PromptTemplate
  O: ChatOutput
edges:
  T.text -> G.word
  G.prompt -> O.input_value
config:
  T.input_value: hello
  G.template: Say {word}
`;

/** A webhook starts it. It answers with a line for the body. */
export const takesBody = (pattern: string) => `name: Takes orders
nodes:
  W: Webhook
  P: ParserComponent
  O: ChatOutput
edges:
  W.output_data -> P.input_data
  P.parsed_text -> O.input_value
config:
  P.pattern: "${pattern}"
`;

/** Answers with what a request to this address gets. `more`: further lines of its configuration. */
export const requestFlow = (url: string, more = '') => `name: Request
nodes:
  R: APIRequest
  T: TypeConverterComponent
  O: ChatOutput
edges:
  R.data -> T.input_data
  T.message_output -> O.input_value
config:
  R.url_input: ${url}
${more}`;

/** Joins the message with a text. `head`: the name, and a description if it has one. */
export const joins = (head: string, delimiter: string, text = '') => `${head}
nodes:
  I: ChatInput
  T: TextInput
  C: CombineText
  O: ChatOutput
edges:
  I.message -> C.text1
  T.text -> C.text2
  C.combined_text -> O.input_value
config:
  C.delimiter: "${delimiter}"
  T.input_value: "${text}"
`;

/** Stores the vectors of these texts. `config`: fields of `W`, the node that writes, a line for each. */
export const ingests = (model: string, texts: readonly string[], config: readonly string[] = []) => `name: Ingest
nodes:
  E: EmbeddingModel
  I: TextInput
  T: TypeConverterComponent
  W: VectorStoreWrite
edges:
  I.text -> T.input_data
  T.dataframe_output -> W.ingest_data
  E.embeddings -> W.embedding
config:
  E.model: ${model}
  I.input_value: ${JSON.stringify(JSON.stringify(texts.map((text) => ({ text }))))}
${config.map((line) => `  ${line}\n`).join('')}`;
