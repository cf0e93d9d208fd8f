/** A flow that a webhook starts, in the form that the assistant writes. It answers with the number of the order. */
export const TAKES_ORDERS = `name: Takes orders
nodes:
  W: Webhook
  P: ParserComponent
  O: ChatOutput
edges:
  W.output_data -> P.input_data
  P.parsed_text -> O.input_value
config:
  P.pattern: "Order {order}"
`;
