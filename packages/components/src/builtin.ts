import { createRegistry, type Registry } from '@croft/flow';
import { globFiles, grepFiles } from './files/find-files.ts';
import { readFile } from './files/read-file.ts';
import { writeFile } from './files/write-file.ts';
import { chatInput, chatOutput } from './inputs/chat.ts';
import { textInput, textOutput } from './inputs/text.ts';
import { firstAvailable } from './logic/first-available.ts';
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

/** The components of Croft itself, in the order of a palette. */
export const BUILTIN: readonly CroftComponent[] = [
  chatInput,
  chatOutput,
  textInput,
  textOutput,
  promptTemplate,
  parser,
  typeConverter,
  combineText,
  splitText,
  filterRows,
  sortRows,
  textStatistics,
  ifElse,
  loop,
  firstAvailable,
  readFile,
  writeFile,
  globFiles,
  grepFiles,
  languageModel,
  agent,
  structuredOutput,
  calculator,
  currentDate,
];

/** A registry of the built-in components. */
export const builtinRegistry = (): Registry<CroftComponent> => createRegistry(BUILTIN);
