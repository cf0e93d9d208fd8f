export function mcpbManifest(manifest: object): object;
export function packMcpb(destination: string): Promise<string>;
