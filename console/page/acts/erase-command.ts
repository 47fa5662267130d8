import type { Mode } from '@payhooks/order-client';
import { shellQuoted } from '../../contract/texts.ts';

export function eraseCommand(name: 'event' | 'order', id: string, mode: Mode): string {
  // An id that begins like an option would be read as one.
  const separator = id.startsWith('-') ? '=' : ' ';
  return `payhooks erase --${name}${separator}${shellQuoted(id)}${mode === 'sandbox' ? ' --sandbox' : ''}`;
}
