/** The ways to start a run. A name of a person or a key is not part of it: several users can run a shared flow. */
export const STARTED_BY = [
  'canvas',
  'playground',
  'page',
  'assistant',
  'key',
  'link',
  'webhook',
  'schedule',
  'mcp',
  'openai',
] as const;
export type StartedBy = (typeof STARTED_BY)[number];

/** A way to start a run; undefined for other texts. */
export const readStartedBy = (text: string | null): StartedBy | undefined => STARTED_BY.find((each) => each === text);
