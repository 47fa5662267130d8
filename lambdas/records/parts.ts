import type { ActReader } from '../ports/acts.ts';
import type { KeyUseReader } from '../ports/key-uses.ts';
import type { EventReader, OrderReader } from '../ports/stores.ts';
import type { WaitingReader } from '../ports/waiting-reader.ts';

/** What the routes are made of that show operators what is stored, and change nothing. */
export interface RecordsParts {
  readonly events: Pick<EventReader, 'find' | 'findBody'>;
  readonly orders: Pick<OrderReader, 'get'>;
  readonly acts: ActReader;
  readonly keyUses: KeyUseReader;
  readonly waiting: WaitingReader;
}
