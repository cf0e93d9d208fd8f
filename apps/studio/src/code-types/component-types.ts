/** Declarations of what components of users may use, from the sources: `scripts/component-types.mjs` writes them. */
declare module 'virtual:component-types' {
  /** The language as the sandbox has it, in several files. */
  export const language: readonly string[];
  /** `@croft/component`, and the global class `Component`. */
  export const component: string;
}
