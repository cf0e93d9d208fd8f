/** The text form of a flow with a text of several lines and a number. */
export const SPEC = `name: Q and A
nodes:
  A: ChatInput
  B: Agent
  C: ChatOutput
edges:
  A.message -> B.input_value
  B.response -> C.input_value
config:
  B.system_prompt: |
    Answer briefly.

      Indented.
  A.input_value: 42
`;
