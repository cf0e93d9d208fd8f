export function packAll(destination: string): string[];
export function publishedManifest(manifest: object, place: string): object;
