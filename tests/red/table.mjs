import { ASSISTANT_RULES } from './assistant-rules.mjs';
import { BOUNDARY_RULES } from './boundary-rules.mjs';
import { FLOW_RULES } from './flow-rules.mjs';
import { GATEWAY_RULES } from './gateway-rules.mjs';
import { GUARD_LIMIT_RULES } from './guard-limit-rules.mjs';
import { GUARD_READER_RULES } from './guard-reader-rules.mjs';
import { GUARD_RULES } from './guard-rules.mjs';
import { GUARD_WINDOWS_RULES } from './guard-windows-rules.mjs';
import { ORDER_RULES } from './order-rules.mjs';
import { SERVER_RULES } from './server-rules.mjs';

/** The rules that `npm run red` removes, one at a time. */
export const TABLE = [
  ...BOUNDARY_RULES,
  ...GATEWAY_RULES,
  ...SERVER_RULES,
  ...FLOW_RULES,
  ...ASSISTANT_RULES,
  ...ORDER_RULES,
  ...GUARD_RULES,
  ...GUARD_LIMIT_RULES,
  ...GUARD_READER_RULES,
  ...GUARD_WINDOWS_RULES,
];
