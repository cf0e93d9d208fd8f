import { type Enclosure, placeName } from '../enclosure.ts';
import type { Located } from '../resolve/locate.ts';
import type { Change } from './change.ts';

/** The parents a call made on its way, outermost first. */
export function madeChanges(enclosure: Enclosure, found: Located): Change[] {
  return found.made.map(({ parts }) => ({ kind: 'mkdir', path: placeName(enclosure, found.path, parts) }));
}
