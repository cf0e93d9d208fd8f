export { type EmbedRequest, type EmbedResult, readEmbeddingRef } from './embed.ts';
export { ModelError, type ModelErrorCode } from './errors.ts';
export { isModelUnavailable, MODEL_UNAVAILABLE_MARKERS, modelsExhaustedMessage } from './fallback.ts';
export { detectOllama } from './list-models.ts';
export { tooLongForRules } from './offline/reply.ts';
export { type ModelRef, readModelRef } from './model-ref.ts';
export { createModels, type Models, type ModelsOptions, type ProviderState } from './models.ts';
export type { Variables } from './providers.ts';
export type {
  ChatMessage,
  JsonSchema,
  ModelEvent,
  ModelRequest,
  StepUsage,
  ModelResult,
  ModelTool,
  Usage,
} from './request.ts';
