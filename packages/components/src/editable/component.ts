/**
 * The module `@croft/component`, for components of users and the built-in ones that can be edited. The functions run in
 * this process and, as one script, in the sandbox.
 *
 * Ports of components are literals, because their source is read without running it. So the files of this directory repeat
 * what several components have, such as the list of conditions.
 */
export { fillVariables, tableOf } from '@croft/flow';
export { TextFinder } from '@croft/workspace/find-text';
export { textScores } from '../knowledge/text-scores.ts';
export { ComponentError } from '../component-error.ts';
export {
  asNumber,
  compareKeys,
  compareValues,
  isRow,
  joinTexts,
  message,
  type Message,
  namesIn,
  OPERATORS,
  requireColumn,
  requireNumbers,
  type Row,
  sortKey,
  toData,
  toRows,
  toText,
  valueAt,
} from '../values.ts';

/** The class that components extend, for built-in ones in this process. The sandbox has its own. */
export class Component {
  /** Rounds of the innermost cycle before this one. Rows of a loop do not count. */
  round = 0;
}
