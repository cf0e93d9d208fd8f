import type { FlowTemplate } from '../api/flows.ts';
import { templateTitle } from './read-flow-file.ts';

/** Without a provider, the templates that need no model come first. Otherwise the order stays. */
export function orderTemplates<Template extends Pick<FlowTemplate, 'usesModel'>>(
  templates: readonly Template[],
  hasProvider: boolean,
): readonly Template[] {
  if (hasProvider) return templates;
  return [...templates.filter(({ usesModel }) => !usesModel), ...templates.filter(({ usesModel }) => usesModel)];
}

/** The templates whose title, description or files have all words of a search. */
export function findTemplates<Template extends Pick<FlowTemplate, 'name' | 'spec' | 'description' | 'files'>>(
  templates: readonly Template[],
  search: string,
): readonly Template[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return templates.filter((template) => {
    const { name, description, files } = template;
    const text = [name, templateTitle(template), description, ...Object.keys(files)].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
