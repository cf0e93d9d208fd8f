import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Frees what the program no longer refers to, at once. */
export const collectGarbage = runInNewContext('gc') as () => void;
