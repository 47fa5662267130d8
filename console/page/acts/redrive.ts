import type { DeadLetters } from '../../contract.ts';
import { counted } from '../parts/texts.ts';

/** Why a redrive may be in vain: SQS moves all messages or none. */
export function redriveObstacles({ groups }: DeadLetters): readonly string[] {
  const letters = groups.flatMap(({ messages }) => messages);
  const redriven = letters.filter(({ redriven_before }) => redriven_before).length;
  const malformed = letters.filter((letter) => letter.malformed).length;
  return [
    redriven === 0 ? '' : `Redriven before, and back: ${counted(redriven, 'message')}.`,
    malformed === 0 ? '' : `The consumer of this version cannot read ${counted(malformed, 'message')}.`,
  ].filter((text) => text !== '');
}

/** Goes on before "back to the event queue". */
export const messagesText = (depth: number): string =>
  depth === 1 ? 'the message moves' : `all ${counted(depth, 'message')} move`;
