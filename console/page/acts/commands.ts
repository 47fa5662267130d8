import type { Mode } from '@payhooks/order-client';
import { shellQuoted } from '../../../cli/shell-quoted.ts';
import type { Subject } from './choices.ts';

const sandbox = (mode: Mode): string => (mode === 'sandbox' ? ' --sandbox' : '');

/** A whole command for a terminal; `option` names the stack: `--stack NAME` or `--local URL`. */
export const commandOf = (command: string, option: string): string => `npx ${command} ${option}`.trimEnd();

/** Reads the events of a name again that has been given a meaning. */
export const replayNameCommand = ({ recordedAt, mode }: Subject): string =>
  `payhooks replay --since ${recordedAt} --publish${sandbox(mode)}`;

export const eraseCommand = (
  subject: { readonly eventId: string } | { readonly orderId: string },
  mode: Mode,
): string => {
  const [name, id] = 'eventId' in subject ? ['event', subject.eventId] : ['order', subject.orderId];
  // An id that begins like an option would be read as one.
  const separator = id.startsWith('-') ? '=' : ' ';
  return `payhooks erase --${name}${separator}${shellQuoted(id)}${sandbox(mode)}`;
};
