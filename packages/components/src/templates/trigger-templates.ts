import type { Template } from './template.ts';

/** Templates that another system or a schedule starts. */
export const TRIGGER_TEMPLATES: readonly Template[] = [
  {
    name: 'webhook-to-file',
    description: 'Receives JSON by a webhook: when a request arrives, appends its body to a file.',
    spec: `name: Webhook to file
nodes:
  H: Webhook
  Q: JSONQuery
  W: SaveToFile
  O: ChatOutput
edges:
  H.output_data -> Q.data
  Q.dataframe -> W.input
  W.message -> O.input_value
config:
  H.data: {"order": 7, "customer": "Ada", "amount": 120}
  Q.expression: "@"
  W.file_name: requests.jsonl
  W.append_mode: true
`,
  },
  {
    name: 'daily-report',
    description: 'On a schedule, reads a CSV file, adds up a column for each group and writes a report with the date.',
    files: { 'orders.csv': 'region,product,amount\nNorth,Wool,120\nSouth,Wool,80\nNorth,Oats,40\n' },
    spec: `name: Daily report
nodes:
  S: ScheduleTrigger
  R: ReadData
  A: AggregateRows
  P: ParserComponent
  T: PromptTemplate
  N: PromptTemplate
  W: SaveToFile
  O: ChatOutput
edges:
  R.dataframe -> A.df
  A.output -> P.input_data
  S.output_data -> T.time
  P.parsed_text -> T.totals
  S.output_data -> N.time
  T.prompt -> W.input
  N.prompt -> W.file_name
  W.message -> O.input_value
config:
  R.path: orders.csv
  A.group_by: region
  A.aggregations: [{"column_name": "amount", "operation": "sum", "name": "total"}]
  P.pattern: "- {region}: {total}"
  T.template: "# Report of {time.weekday}, {time.date}\\n\\n{totals}\\n"
  N.template: "reports/{time.date}.md"
`,
  },
  {
    name: 'watch-feed',
    description: 'On a schedule, watches an RSS feed and adds its new entries to a file.',
    needsNetwork: true,
    spec: `name: Watch a feed
nodes:
  S: ScheduleTrigger
  F: RSSReader
  K: ReadData
  M: MergeData
  Q: JSONQuery
  W: SaveToFile
  P: ParserComponent
  T: PromptTemplate
  O: ChatOutput
edges:
  F.dataframe -> M.data_inputs
  K.dataframe -> M.join_with
  M.merged_data -> Q.data
  Q.dataframe -> W.input
  Q.dataframe -> P.input_data
  S.text -> T.time
  P.parsed_text -> T.entries
  T.prompt -> O.input_value
config:
  F.rss_url: https://example.com/feed.xml
  K.path: news.csv
  K.allow_missing: true
  M.operation: Join
  M.join_on: link
  M.how: left
  Q.expression: "[?title_right == null].{title: title, link: link, published: published}"
  W.file_name: news.csv
  W.append_mode: true
  P.pattern: "- {title} ({link})"
  P.if_empty: Nothing new.
  T.template: "New entries, {time}\\n\\n{entries}"
`,
  },
];
