import { createRegistry, type Registry } from '@croft/flow';
import {
  aggregateRows,
  calculator,
  chatInput,
  chatOutput,
  combineText,
  filterRows,
  firstAvailable,
  ifElse,
  listItem,
  loop,
  mergeData,
  parser,
  promptTemplate,
  rerank,
  sortRows,
  splitText,
  switchCases,
  textInput,
  textOutput,
  textStatistics,
  typeConverter,
} from './editable/builtins.ts';
import { subFlow } from './flows/sub-flow.ts';
import { directory } from './files/directory.ts';
import { documentText } from './files/document-text.ts';
import { fileInput, fileOutput } from './files/flow-files.ts';
import { globFiles, grepFiles } from './files/find-files.ts';
import { readFile } from './files/read-file.ts';
import { textToSpeech } from './audio/text-to-speech.ts';
import { writeDocument } from './files/write-document.ts';
import { writeFile } from './files/write-file.ts';
import { readData } from './data/read-data.ts';
import { rssReader } from './data/rss.ts';
import { sqlQuery, sqlStatement } from './data/sql-query.ts';
import { webPage } from './data/web-page.ts';
import { webSearch } from './data/web-search.ts';
import { scheduleTrigger } from './inputs/schedule-trigger.ts';
import { webhook } from './inputs/webhook.ts';
import { messageHistory } from './inputs/message-history.ts';
import { embeddingModel } from './knowledge/embedding-model.ts';
import { vectorSearch } from './knowledge/vector-search.ts';
import { vectorStoreWrite } from './knowledge/vector-store-write.ts';
import { batchRun } from './models/batch-run.ts';
import { guardrail } from './models/guardrail.ts';
import { smartRouter } from './models/smart-router.ts';
import { summarise } from './models/summarise.ts';
import { jsonQuery } from './processing/json-query.ts';
import { regexExtractor } from './processing/regex-extractor.ts';
import { textOperations } from './processing/text-operations.ts';
import { httpRequest } from './data/http-request.ts';
import { humanApproval } from './logic/human-approval.ts';
import { listen, notify } from './logic/notify-listen.ts';
import { agent } from './models/agent.ts';
import { languageModel } from './models/language-model.ts';
import { structuredOutput } from './models/structured-output.ts';
import { mcpTools } from './mcp/mcp-tools.ts';
import type { CroftComponent } from './services.ts';
import { currentDate } from './tools/current-date.ts';
import { remoteFiles } from './tools/remote-files.ts';
import { fileSystem } from './tools/file-system.ts';
import { typescriptCode } from './user/typescript-code.ts';

/** The components of Croft itself, in the order of a palette. */
export const BUILTIN: readonly CroftComponent[] = [
  chatInput,
  chatOutput,
  textInput,
  textOutput,
  fileInput,
  fileOutput,
  webhook,
  scheduleTrigger,
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
  listItem,
  jsonQuery,
  textOperations,
  regexExtractor,
  textStatistics,
  ifElse,
  switchCases,
  loop,
  firstAvailable,
  humanApproval,
  notify,
  listen,
  subFlow,
  readFile,
  writeFile,
  writeDocument,
  documentText,
  directory,
  globFiles,
  grepFiles,
  remoteFiles,
  languageModel,
  agent,
  structuredOutput,
  batchRun,
  summarise,
  smartRouter,
  guardrail,
  textToSpeech,
  httpRequest,
  webPage,
  webSearch,
  rssReader,
  readData,
  sqlQuery,
  sqlStatement,
  embeddingModel,
  vectorStoreWrite,
  vectorSearch,
  rerank,
  calculator,
  currentDate,
  fileSystem,
  mcpTools,
  typescriptCode(),
];

/** A registry of the built-in components. */
export const builtinRegistry = (): Registry<CroftComponent> => createRegistry(BUILTIN);
