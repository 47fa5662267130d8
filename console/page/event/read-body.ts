/** A body as a reader can show it; the bytes are the truth. */
export type ReadBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'bytes'; readonly why: string; readonly bytes: Uint8Array<ArrayBuffer> };

export function readBody(base64: string): ReadBody {
  const bytes = bytesOf(base64);
  const text = textOf(bytes);
  if (text === undefined) return { kind: 'bytes', why: 'The body is not text in UTF-8.', bytes };
  try {
    const value: unknown = JSON.parse(text, keepNumber);
    return isDeeper(value, levelsMax)
      ? { kind: 'bytes', why: tooDeep, bytes }
      : { kind: 'json', value, bytes };
  } catch (error) {
    return { kind: 'bytes', why: error instanceof RangeError ? tooDeep : 'The body is not JSON.', bytes };
  }
}

/** Notifications have five. Indented, 256 KiB of thousands of levels would be hundreds of megabytes. */
const levelsMax = 64;
const tooDeep = `The body is JSON of more than ${levelsMax} levels.`;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((child) => isDeeper(child, levels - 1)));

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** `JSON` of browsers since 2023 or 2025; an older one shows the number as it reads it. */
const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };

/** Keeps a number that JavaScript would write in another way, such as `100.10` or one with 20 digits. */
function keepNumber(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const { source } = context ?? {};
  if (typeof value !== 'number' || source === undefined || source === String(value)) return value;
  return rawJSON?.(source) ?? value;
}
