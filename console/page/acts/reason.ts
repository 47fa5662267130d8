import { reasonBytesMax } from '../../../lambdas/contract/operations-limits.ts';

/** Why a reason cannot be sent; `undefined` for one that the API takes. */
export function problemOfReason(reason: string): string | undefined {
  if (reason.trim() === '') return 'Give the reason: it is stored with who acted and when.';
  if (/\p{Cc}/u.test(reason)) return 'Give the reason in one line, without control characters.';
  if (!reason.isWellFormed()) return 'The reason is not valid Unicode.';
  const bytes = new TextEncoder().encode(JSON.stringify(reason)).length - 2;
  if (bytes <= reasonBytesMax) return undefined;
  return `The reason has ${bytes} bytes; at most ${reasonBytesMax} are stored. Shorten it.`;
}
