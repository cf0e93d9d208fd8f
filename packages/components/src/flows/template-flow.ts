import { buildFromSpec, type ComponentRegistry } from '@croft/flow';
import type { Services } from '../services.ts';
import { TEMPLATES } from '../templates/templates.ts';
import type { FoundFlow } from './flow-library.ts';

/** The template of this name as a flow; undefined where there is none. */
export function templateFlow(name: string, registry: ComponentRegistry<Services>): FoundFlow<Services> | undefined {
  const template = TEMPLATES.find((each) => each.name === name);
  if (template === undefined) return undefined;
  const built = buildFromSpec(template.spec, registry, (_type, id) => id);
  return 'error' in built ? undefined : { id: `template ${name}`, flow: built.flow, registry };
}
