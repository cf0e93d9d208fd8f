// The public surface, listed by hand: an export added here becomes API.
export {
  announcedToolSchema,
  CROFT_PROTOCOL,
  croftClientSchema,
  FRAME_LIMITS,
  initReplySchema,
  initSchema,
  KEY_HEADER,
  PATHS,
  PREFIXES,
  serverFrameSchema,
  TIMES,
  toggleSchema,
  treeUpdateSchema,
} from './frames.ts';
export type {
  AnnouncedTool,
  CancelFrame,
  DisconnectFrame,
  DisconnectReason,
  ErrorBody,
  GatewayStatus,
  InitFrame,
  InitReply,
  PingFrame,
  RequestFrame,
  ServerFrame,
  ToolCategory,
  TreeEntryFrame,
  TreeUpdateFrame,
} from './frames.ts';
export { contentBlockSchema, responseSchema, toolResultSchema } from './response-frame.ts';
export type { ContentBlock, ResponseFrame } from './response-frame.ts';
export { hashKey, makePairingToken, makeRequestId, makeSessionKey, sameHash } from './tokens.ts';
