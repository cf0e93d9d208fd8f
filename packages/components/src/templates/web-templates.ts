import type { Template } from './template.ts';

/** Templates that take files, send values on, read pages and talk to other services. */
export const WEB_TEMPLATES: readonly Template[] = [
  {
    name: 'file-in-file-out',
    description: 'Takes files that a run brings, and gives the first one as a Markdown file.',
    files: { 'minutes.txt': 'The wall holds.\n' },
    spec: `name: File in, file out
nodes:
  F: FileInput
  L: ListItem
  D: DocumentText
  W: WriteDocument
  O: FileOutput
edges:
  F.files -> L.items
  L.item -> D.file
  D.text -> W.text
  W.file -> O.file
config:
  F.input_value: ["minutes.txt"]
  W.file_name: minutes.md
  W.format: md
`,
  },
  {
    name: 'notify-and-listen',
    description: 'Sends a value to another part of the flow without a connection.',
    input: 'Ada',
    spec: `name: Notify and listen
nodes:
  I: ChatInput
  N: Notify
  L: Listen
  P: PromptTemplate
  O: ChatOutput
edges:
  I.message -> N.input_value
  L.data -> P.who
  P.prompt -> O.input_value
config:
  N.context_key: who
  L.context_key: who
  P.template: "Dear {who}"
`,
  },
  {
    name: 'web-page-to-markdown',
    description: 'Reads the article of a web page and writes it as a Markdown file.',
    needsNetwork: true,
    input: 'https://example.com/',
    spec: `name: Web page to Markdown
nodes:
  I: ChatInput
  U: URLComponent
  W: SaveToFile
  O: ChatOutput
edges:
  I.message -> U.urls
  U.raw_results -> W.input
  W.message -> O.input_value
config:
  W.file_name: page.md
`,
  },
  {
    name: 'feed-digest',
    description: 'Reads a feed and lists its latest entries.',
    needsNetwork: true,
    input: 'https://example.com/feed.xml',
    spec: `name: Feed digest
nodes:
  I: ChatInput
  R: RSSReader
  P: ParserComponent
  O: ChatOutput
edges:
  I.message -> R.rss_url
  R.dataframe -> P.input_data
  P.parsed_text -> O.input_value
config:
  R.max_results: 5
  P.pattern: "{title} ({link})"
`,
  },
  {
    name: 'call-an-api',
    description: 'Sends a request to an HTTP API and selects a part of the answer.',
    needsNetwork: true,
    input: 'https://example.com/items',
    spec: `name: Call an API
nodes:
  I: ChatInput
  R: APIRequest
  Q: JSONQuery
  O: ChatOutput
edges:
  I.message -> R.url_input
  R.data -> Q.data
  Q.message -> O.input_value
config:
  Q.expression: "result.items[0]"
`,
  },
];
