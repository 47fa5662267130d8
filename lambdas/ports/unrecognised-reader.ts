import type { Mode } from '../domain/signature.ts';
import type { EventRow } from './stores.ts';

export interface UnrecognisedReader {
  /** A body that is no event, with its bytes. */
  findUnrecognised(mode: Mode, bodySha256: string): Promise<EventRow | undefined>;
}
