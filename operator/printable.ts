import { stripVTControlCharacters } from 'node:util';
import { unprintable } from './shell-quoted.ts';

/**
 * Text from outside, safe on a terminal: without escape sequences, control characters, invisible and
 * direction-changing characters, and cut to a length. The sender of an event must not be able to move the
 * cursor, set the title or write to the clipboard of the operator.
 */
export function printable(text: string, charactersMax = 60): string {
  // The first step removes whole sequences, for readability; only the second one makes the text safe.
  const plain = stripVTControlCharacters(text).replace(unprintable, '');
  if (plain === '' && text !== '') return '(unprintable)';
  const characters = Array.from(plain);
  return characters.length <= charactersMax ? plain : `${characters.slice(0, charactersMax - 1).join('')}…`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The first eight characters of a UUID, enough to recognise it; any other id in full. */
export function shortId(id: string): string {
  return uuid.test(id) ? `${id.slice(0, 8)}…` : printable(id, 40);
}

/** What a screen is expected to hold. */
export const screenCharacters = 100;

/**
 * A help text as wide as a screen: lines of a paragraph are joined and broken again, and what is too long in
 * a column goes on below its beginning. An example stays a line, to be copied.
 */
export function fitted(text: string, charactersMax: number): string {
  const paragraphs = text.replace(/^(\S.*)\n(?=\S)/gm, '$1 ');
  const fit = (line: string): readonly string[] => {
    if (line.length <= charactersMax || /^ +payhooks /.test(line)) return [line];
    const { length: hang } = /^ +(?:\S+(?: \S+)* {2,})?|^/.exec(line)?.[0] ?? '';
    const [first = '', ...rest] = wrapped(line.slice(hang), charactersMax - hang);
    return [`${line.slice(0, hang)}${first}`, ...rest.map((more) => `${' '.repeat(hang)}${more}`)];
  };
  return paragraphs.split('\n').flatMap(fit).join('\n');
}

/** Lines of at most this many characters, broken at spaces; a longer word has a line of its own. */
export function wrapped(text: string, charactersMax: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= charactersMax) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
