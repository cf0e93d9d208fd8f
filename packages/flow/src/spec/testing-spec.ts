import { SPEC_EXAMPLE } from './spec-help.ts';

/** The text form of a flow with a text of several lines and a number. */
export const SPEC = `${SPEC_EXAMPLE}

      Indented.
  A.input_value: 42
`;
