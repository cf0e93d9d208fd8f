// The public surface, listed by hand: an export added here becomes API.
export { callTool, findTool } from './call-tool.ts';
export type { ToolTable } from './call-tool.ts';
export { ADDS, READS, REPLACES, ToolError } from './tool.ts';
export type {
  AnyTool,
  CallContext,
  MediaContent,
  Tool,
  ToolAnnotations,
  ToolCall,
  ToolErrorCode,
  ToolResult,
  WholeFile,
} from './tool.ts';
export { dataOfWholeFile, quoteWholeFile } from './files/quote-lines.ts';
export { MAX_CONTENT_BYTES } from './refuse-oversized.ts';
export { TOOLSETS } from './toolset-names.ts';
export type { ToolsetName } from './toolset-names.ts';
export { makeToolset } from './toolsets.ts';
export type { ToolsetOptions } from './toolsets.ts';
export { boundWorkspace, describeNamespace, fixedWorkspace } from './workspace-source.ts';
export type { Identity, NamespaceMetadata, WorkspaceSource } from './workspace-source.ts';
export { confirmDestructive } from './confirm.ts';
export { activityDir, openActivity } from './activity/activity-log.ts';
export { clean } from './activity/printable-text.ts';
export { actorName, VIA } from './activity/activity-entry.ts';
export type { ActingFlow, ActivityEntry, Actor, Via } from './activity/activity-entry.ts';
export type { Activity } from './activity/activity-log.ts';
export type { FinishedCall, PendingRecord, StartedCall } from './activity/pending-record.ts';
export { reconcile } from './activity/reconcile.ts';
export { type ChangeDiffs, type FileDiff, openChangeDiffs } from './activity/change-diffs.ts';
export { foreseeUndo } from './activity/foresee-undo.ts';
export { createOpenParts, openRecordedPart } from './activity/recorded-part.ts';
export { type FlowRecords, recordedWorkspace } from './activity/recorded-workspace.ts';
export { selectUndo, undoEntries, undoneIds } from './activity/undo.ts';
export type { UndoneEntry, UndoSelection } from './activity/undo.ts';
export { DAEMON_EXCLUDES, SERVER_EXCLUDES } from './explore/explore-tools.ts';
export { isTooLarge, type JsonSize, MAX_JSON, measureJson } from './measure-json.ts';
export { cutText, jsonBytes } from './fit-result.ts';
export { toAiSdkTools, type AiSdkOutput, type AiSdkTool } from './to-ai-sdk-tools.ts';
export { toOpenAiTools, type OpenAiTool } from './to-openai-tools.ts';
