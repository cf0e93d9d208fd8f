/** Why something about a flow failed. */
export type FlowErrorCode =
  | 'invalid_document'
  | 'newer_version'
  | 'too_large'
  | 'unknown_component'
  | 'unknown_node'
  | 'unknown_field'
  | 'unknown_port'
  | 'type_mismatch'
  | 'no_tool_mode'
  | 'duplicate_id'
  | 'invalid_edit'
  | 'invalid_spec';

/** Where in a flow it failed. */
export interface FlowPlace {
  readonly node?: string;
  readonly field?: string;
}

/** A failure with its place. The message says what happened and what to do; it may be shown to people and to models. */
export class FlowError extends Error {
  readonly code: FlowErrorCode;
  readonly place: FlowPlace;

  constructor(code: FlowErrorCode, message: string, place: FlowPlace = {}) {
    super(message);
    this.name = 'FlowError';
    this.code = code;
    this.place = place;
  }
}
