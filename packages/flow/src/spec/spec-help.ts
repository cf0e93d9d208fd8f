/** A flow in its text form. */
export const SPEC_EXAMPLE = `name: Q and A
nodes:
  A: ChatInput
  B: Agent
  C: ChatOutput
edges:
  A.message -> B.input_value
  B.response -> C.input_value
config:
  B.system_prompt: |
    Answer briefly.`;

/** Describes the text form of a flow to a model, with an example. */
export const SPEC_HELP = `The flow as text. Example:\n${SPEC_EXAMPLE}`;
