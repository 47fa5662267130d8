/**
 * A stranger's text with a mark in place of what cannot be seen, so that no two ids look the same and none
 * reads from right to left that is written from left to right.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

/**
 * JSON for a reader. It leaves invisible and direction-changing characters as they are; escaped, it is the
 * same JSON.
 * @param {unknown} value
 */
export function readableJson(value) {
  return JSON.stringify(value, null, 2).replace(/[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
