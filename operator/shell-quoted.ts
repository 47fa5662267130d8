/** What no screen shows, and what changes how a screen shows the rest. */
export const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * One word for bash, zsh or ksh, whatever it contains, in every locale; a character that no screen shows is
 * written as the octal numbers of its bytes. Without a locale bash would read `\U…` as another word.
 */
export function shellQuoted(text: string): string {
  if (/^[\w/:.,@%+=-]+$/.test(text)) return text;
  if (text.search(unprintable) < 0) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replace(/[\\']/g, '\\$&').replace(unprintable, bytesOf);
  return `$'${escaped}'`;
}

const bytesOf = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
