import type { FlowTemplate } from '../api/flows.ts';

/** Without a provider, the templates that need no model come first. Otherwise the order stays. */
export function orderTemplates<Template extends Pick<FlowTemplate, 'usesModel'>>(
  templates: readonly Template[],
  hasProvider: boolean,
): readonly Template[] {
  if (hasProvider) return templates;
  return [...templates.filter(({ usesModel }) => !usesModel), ...templates.filter(({ usesModel }) => usesModel)];
}
