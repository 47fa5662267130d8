import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** What Node does by itself when memory runs low. */
export const collectGarbage: () => void = runInNewContext('gc');
