import { converterFor, type Descriptor, type FlowSpec, type Json, type Registry, typesFit } from '@croft/flow';

/** A component of a chain with its values. */
export interface Link {
  readonly descriptor: Descriptor;
  readonly config: Readonly<Record<string, Json>>;
}

/** A link for a clause, with the text of the clause where a rule carries it out word by word. */
export interface Step extends Link {
  readonly read?: string;
  /** It comes after all other steps. */
  readonly isLast?: boolean;
}

/** Connects each link to the next by the first ports that fit, with a converter between them where one is known. */
export function chainOf(links: readonly Link[], registry: Registry): Omit<FlowSpec, 'name'> | undefined {
  const nodes: { id: string; type: string }[] = [];
  const edges: { from: { node: string; port: string }; to: { node: string; port: string } }[] = [];
  const config: { node: string; field: string; value: Json }[] = [];
  const add = ({ descriptor, config: values }: Link) => {
    const id = `N${nodes.length + 1}`;
    nodes.push({ id, type: descriptor.type });
    for (const [field, value] of Object.entries(values)) config.push({ node: id, field, value });
    return id;
  };
  let last: { id: string; descriptor: Descriptor } | undefined;
  for (const link of links) {
    const id = add(link);
    if (last !== undefined) {
      const [output, input] = [last.descriptor.outputs[0], inputOf(link.descriptor)];
      if (output === undefined || input === undefined) return undefined;
      const accepts = input.accepts ?? [];
      const fitting = last.descriptor.outputs.find(({ types }) => typesFit(types, accepts));
      const converter = fitting ? undefined : converterFor(output.types, accepts);
      if (fitting) edges.push({ from: { node: last.id, port: fitting.name }, to: { node: id, port: input.name } });
      else if (converter && registry.get(converter.component) !== undefined) {
        const between = `C${nodes.length + 1}`;
        nodes.push({ id: between, type: converter.component });
        edges.push(
          { from: { node: last.id, port: output.name }, to: { node: between, port: converter.input } },
          { from: { node: between, port: converter.output }, to: { node: id, port: input.name } },
        );
      } else return undefined;
    }
    last = { id, descriptor: link.descriptor };
  }
  return { nodes, edges, config };
}

/** The input that a link of a chain takes its value from: the required one, else the first. */
export function inputOf({ fields }: Descriptor) {
  const open = fields.filter(({ accepts, gate }) => (accepts?.length ?? 0) > 0 && gate !== true);
  return open.find(({ required }) => required === true) ?? open[0];
}
