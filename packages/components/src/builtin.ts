import { createRegistry, type Registry } from '@croft/flow';
import { directory } from './files/directory.ts';
import { documentText } from './files/document-text.ts';
import { globFiles, grepFiles } from './files/find-files.ts';
import { readFile } from './files/read-file.ts';
import { writeFile } from './files/write-file.ts';
import { chatInput, chatOutput } from './inputs/chat.ts';
import { textInput, textOutput } from './inputs/text.ts';
import { readData } from './data/read-data.ts';
import { rssReader } from './data/rss.ts';
import { webPage } from './data/web-page.ts';
import { webSearch } from './data/web-search.ts';
import { messageHistory } from './inputs/message-history.ts';
import { embeddingModel } from './knowledge/embedding-model.ts';
import { rerank } from './knowledge/rerank.ts';
import { vectorSearch } from './knowledge/vector-search.ts';
import { vectorStoreWrite } from './knowledge/vector-store-write.ts';
import { switchCases } from './logic/switch.ts';
import { batchRun } from './models/batch-run.ts';
import { guardrail } from './models/guardrail.ts';
import { smartRouter } from './models/smart-router.ts';
import { summarise } from './models/summarise.ts';
import { aggregateRows } from './processing/aggregate-rows.ts';
import { jsonQuery } from './processing/json-query.ts';
import { mergeData } from './processing/merge-data.ts';
import { regexExtractor } from './processing/regex-extractor.ts';
import { httpRequest } from './data/http-request.ts';
import { firstAvailable } from './logic/first-available.ts';
import { humanApproval } from './logic/human-approval.ts';
import { ifElse } from './logic/if-else.ts';
import { loop } from './logic/loop.ts';
import { agent } from './models/agent.ts';
import { languageModel } from './models/language-model.ts';
import { structuredOutput } from './models/structured-output.ts';
import { combineText } from './processing/combine-text.ts';
import { parser } from './processing/parser.ts';
import { promptTemplate } from './processing/prompt-template.ts';
import { splitText } from './processing/split-text.ts';
import { filterRows, sortRows } from './processing/table-rows.ts';
import { textStatistics } from './processing/text-statistics.ts';
import { typeConverter } from './processing/type-converter.ts';
import type { CroftComponent } from './services.ts';
import { calculator } from './tools/calculator.ts';
import { currentDate } from './tools/current-date.ts';
import { fileSystem } from './tools/file-system.ts';
import { typescriptCode } from './user/typescript-code.ts';

/** The components of Croft itself, in the order of a palette. */
export const BUILTIN: readonly CroftComponent[] = [
  chatInput,
  chatOutput,
  textInput,
  textOutput,
  messageHistory,
  promptTemplate,
  parser,
  typeConverter,
  combineText,
  splitText,
  filterRows,
  sortRows,
  aggregateRows,
  mergeData,
  jsonQuery,
  regexExtractor,
  textStatistics,
  ifElse,
  switchCases,
  loop,
  firstAvailable,
  humanApproval,
  readFile,
  writeFile,
  documentText,
  directory,
  globFiles,
  grepFiles,
  languageModel,
  agent,
  structuredOutput,
  batchRun,
  summarise,
  smartRouter,
  guardrail,
  httpRequest,
  webPage,
  webSearch,
  rssReader,
  readData,
  embeddingModel,
  vectorStoreWrite,
  vectorSearch,
  rerank,
  calculator,
  currentDate,
  fileSystem,
  typescriptCode(),
];

/** A registry of the built-in components. */
export const builtinRegistry = (): Registry<CroftComponent> => createRegistry(BUILTIN);
