import { DATA_TEMPLATES } from './data-templates.ts';
import { MODEL_TEMPLATES } from './model-templates.ts';
import type { Template } from './template.ts';
import { TRIGGER_TEMPLATES } from './trigger-templates.ts';
import { WEB_TEMPLATES } from './web-templates.ts';

/** Flows to start from, in the order of a listing. */
export const TEMPLATES: readonly Template[] = [
  ...MODEL_TEMPLATES,
  ...DATA_TEMPLATES,
  ...TRIGGER_TEMPLATES,
  ...WEB_TEMPLATES,
];
