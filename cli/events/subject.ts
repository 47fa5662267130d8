import type { Mode } from '../../lambdas/domain/signature.ts';
import { printable } from '../../operator/printable.ts';
import { chosenMode } from '../mode.ts';

/** What a command line names: an event, one body of it, or a body that is no event. */
export interface Subject {
  readonly id: string | undefined;
  readonly bodySha256?: string;
  readonly sandbox?: true;
}

interface SubjectFields {
  readonly mode: Mode;
  readonly event_id?: string;
  readonly body_sha256?: string;
}

/** The fields of a request for an act. */
export const fieldsOf = ({ id, bodySha256, sandbox }: Subject): SubjectFields => ({
  mode: chosenMode({ sandbox }),
  ...(id !== undefined && { event_id: id }),
  ...(bodySha256 !== undefined && { body_sha256: bodySha256 }),
});

/** For texts. */
export const nameOf = ({ id, bodySha256 = '' }: Subject): string =>
  printable(id ?? `the body ${bodySha256.slice(0, 12)}…`);
