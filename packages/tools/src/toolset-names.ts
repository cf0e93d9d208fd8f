/** The names of the toolsets. In a file without imports, so that a command line can name them without loading the tools. */
export const TOOLSETS = ['full', 'files', 'explore', 'basic'] as const;
export type ToolsetName = (typeof TOOLSETS)[number];
