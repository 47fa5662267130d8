/** What no screen shows, and what changes how a screen shows the rest. */
export const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** One word for a POSIX shell, whatever it contains; a character that no screen shows is escaped. */
export function shellQuoted(text: string): string {
  if (/^[\w/:.,@%+=-]+$/.test(text)) return text;
  if (text.search(unprintable) < 0) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replace(/[\\']/g, '\\$&').replace(unprintable, escapeOf);
  return `$'${escaped}'`;
}

const escapeOf = (character: string): string =>
  `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
