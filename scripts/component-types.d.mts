/** Texts of declaration files: those of the language, and that of `@croft/component`. */
export function componentTypes(): Promise<{ readonly language: string[]; readonly component: string }>;
