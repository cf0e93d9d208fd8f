/** The names of the cells, in the order they run. */
export function listCells(): readonly { readonly name: string }[];
