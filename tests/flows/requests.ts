/** Graphs of recorded requests, as the data has them. A reference is `[variable, node]`, in texts `{{#node.variable#}}`. */
export type Reference = readonly [string, string];

export interface RequestNode {
  readonly id: string;
  readonly type: string;
  readonly param: Readonly<Record<string, any>>;
}

export interface RequestGraph {
  readonly nodes_info: readonly RequestNode[];
  readonly edges: readonly (readonly [string, number, string])[];
}

export interface RequestEdit {
  readonly task: string;
  readonly from: number;
  readonly to: number;
  readonly before: RequestGraph;
  readonly after: RequestGraph;
}

export type Solutions = Readonly<
  Record<string, readonly { readonly model: string; readonly workflow: RequestGraph }[]>
>;
