import type { Template } from './template.ts';

const ORDERS = 'region,product,amount\nNorth,Wool,120\nSouth,Wool,80\nNorth,Oats,40\n';

/** Templates that work on records, texts and files. */
export const DATA_TEMPLATES: readonly Template[] = [
  {
    name: 'word-count',
    description: 'Counts the words and lines of a message.',
    input: 'one two three',
    spec: `name: Word count
nodes:
  I: ChatInput
  S: TextStatistics
  P: ParserComponent
  O: ChatOutput
edges:
  I.message -> S.text_input
  S.data -> P.input_data
  P.parsed_text -> O.input_value
config:
  P.pattern: "Words: {words}, lines: {lines}"
`,
  },
  {
    name: 'flow-in-a-flow',
    description: 'Runs another flow on a message, and uses its result.',
    input: 'one two three',
    spec: `name: Flow in a flow
nodes:
  I: ChatInput
  F: RunFlow
  P: PromptTemplate
  O: ChatOutput
edges:
  I.message -> F.input_value
  F.message -> P.count
  P.prompt -> O.input_value
config:
  F.flow_name_selected: word-count
  P.template: "The other flow says: {count}."
`,
  },
  {
    name: 'sales-report',
    description: 'Reads a CSV file, adds up a column for each group, sorts the groups and writes a report.',
    files: { 'orders.csv': ORDERS },
    spec: `name: Sales report
nodes:
  R: ReadData
  A: AggregateRows
  S: SortRows
  P: ParserComponent
  W: SaveToFile
  O: ChatOutput
edges:
  R.dataframe -> A.df
  A.output -> S.df
  S.output -> P.input_data
  P.parsed_text -> W.input
  P.parsed_text -> O.input_value
config:
  R.path: orders.csv
  A.group_by: region
  A.aggregations: [{"column_name": "amount", "operation": "sum", "name": "total"}]
  S.column_name: total
  S.ascending: false
  P.pattern: "{region}: {total}"
  W.file_name: report.txt
`,
  },
  {
    name: 'write-report',
    description: 'Writes a message as a report. Set the format to docx, pptx or html for other documents.',
    input: 'North sold the most.',
    spec: `name: Write report
nodes:
  I: ChatInput
  P: PromptTemplate
  W: WriteDocument
  O: ChatOutput
edges:
  I.message -> P.text
  P.prompt -> W.text
  W.message -> O.input_value
config:
  P.template: "# Report\\n\\n{text}\\n"
  W.file_name: report
  W.format: md
`,
  },
  {
    name: 'join-tables',
    description: 'Joins two tables by a column and keeps the rows that meet a condition.',
    spec: `name: Join tables
nodes:
  L: ReadData
  R: ReadData
  M: MergeData
  F: FilterRows
  P: ParserComponent
  O: ChatOutput
edges:
  L.dataframe -> M.data_inputs
  R.dataframe -> M.join_with
  M.merged_data -> F.df
  F.output -> P.input_data
  P.parsed_text -> O.input_value
config:
  L.source: Text
  L.text: "id,name\\n1,Ada\\n2,Bob"
  R.source: Text
  R.text: "id,hours\\n1,30\\n2,5"
  M.operation: Join
  M.join_on: id
  F.column_name: hours
  F.operator: greater than
  F.filter_value: "10"
  P.pattern: "{name}: {hours} hours"
`,
  },
  {
    name: 'extract-addresses',
    description: 'Finds all email addresses in a message.',
    input: 'Write to ada@example.com or bob@example.org.',
    spec: `name: Extract addresses
nodes:
  I: ChatInput
  X: RegexExtractor
  O: ChatOutput
edges:
  I.message -> X.input_text
  X.text -> O.input_value
config:
  X.pattern: "[\\\\w.+-]+@[\\\\w-]+(\\\\.[\\\\w-]+)+"
`,
  },
  {
    name: 'json-query',
    description: 'Selects values from JSON by a JMESPath expression.',
    input: '{"items": [{"name": "Wool", "price": 12}, {"name": "Oats", "price": 3}]}',
    spec: `name: JSON query
nodes:
  I: ChatInput
  Q: JSONQuery
  P: ParserComponent
  O: ChatOutput
edges:
  I.message -> Q.data
  Q.dataframe -> P.input_data
  P.parsed_text -> O.input_value
config:
  Q.expression: "items[?price > \`10\`]"
  P.pattern: "{name} costs {price}"
`,
  },
  {
    name: 'sort-requests',
    description: 'Sends a message to one of several answers by the words in it.',
    input: 'My invoice is wrong',
    spec: `name: Sort requests
nodes:
  I: ChatInput
  S: Switch
  B: PromptTemplate
  H: PromptTemplate
  D: PromptTemplate
  F: FirstAvailable
  O: ChatOutput
edges:
  I.message -> S.input_value
  S.case_1_result -> B.request
  S.case_2_result -> H.request
  S.default_result -> D.request
  B.prompt -> F.values
  H.prompt -> F.values
  D.prompt -> F.values
  F.value -> O.input_value
config:
  S.operator: contains
  S.cases: [{"match_text": "invoice"}, {"match_text": "help"}]
  B.template: "Billing: {request}"
  H.template: "Support: {request}"
  D.template: "Other: {request}"
`,
  },
  {
    name: 'for-each-row',
    description: 'Runs components once for each row, and collects what they give.',
    spec: `name: For each row
nodes:
  R: ReadData
  L: LoopComponent
  P: ParserComponent
  E: ParserComponent
  O: ChatOutput
edges:
  R.dataframe -> L.data
  L.item -> P.input_data
  P.parsed_text -> L.item
  L.done -> E.input_data
  E.parsed_text -> O.input_value
config:
  R.source: Text
  R.text: "name\\nAda\\nBob"
  P.pattern: "Dear {name}"
  E.pattern: "{text}"
`,
  },
  {
    name: 'find-in-files',
    description: 'Counts the lines of files that contain a word, for each file.',
    files: { 'a.md': 'TODO one\ntext\nTODO two\n', 'b.md': 'TODO three\n' },
    spec: `name: Find in files
nodes:
  G: Grep
  A: AggregateRows
  P: ParserComponent
  O: ChatOutput
edges:
  G.dataframe -> A.df
  A.output -> P.input_data
  P.parsed_text -> O.input_value
config:
  G.pattern: TODO
  G.glob: "*.md"
  A.group_by: path
  P.pattern: "{path}: {count}"
  P.if_empty: No file has this word.
`,
  },
];
