import { DEFAULT_PATH_PARAMETERS, DEFAULT_PROTECT, DEFAULT_TOOL_PATTERNS } from './default-patterns.ts';
import type { Policy } from './policy.ts';

/** The policy without any configuration. */
export function defaultPolicy(): Policy {
  return {
    enabled: true,
    strict: false,
    mode: 'enforce',
    allowParentAccess: false,
    customToolPatterns: [],
    defaultToolPatterns: DEFAULT_TOOL_PATTERNS.map((name) => new RegExp(name, 'i')),
    excludedTools: [],
    pathParameterNames: DEFAULT_PATH_PARAMETERS,
    denyRead: [],
    protect: DEFAULT_PROTECT,
    policyFiles: [],
    allowedRoots: [],
    privateTemporary: undefined,
    remote: false,
  };
}
