import { visibleText } from '../parts/texts.ts';

/** An id inside a sentence or a label, with its invisible characters written out, and cut. */
export function printableId(id: string, charactersMax = 40): string {
  const characters = Array.from(visibleText(id));
  if (characters.length <= charactersMax) return characters.join('');
  return `${characters.slice(0, charactersMax - 1).join('')}…`;
}
