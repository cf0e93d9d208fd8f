import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the built pages are: in the published package beside the server, in a checkout where the studio is built. */
export function builtStudio(): string | undefined {
  const places = ['../studio', '../../studio/dist'].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.find((place) => existsSync(`${place}/index.html`));
}
