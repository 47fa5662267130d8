import { type Authentication, bearer } from './authentication.ts';

export interface HeldTokens<Tokens> {
  /** Whether they can be used for a while yet. */
  readonly isFresh: (tokens: Tokens) => boolean;
  /** Others for `former`, which was answered 401 (`isRefused`), is not fresh, or was never there. */
  readonly obtain: (former: Tokens | undefined, isRefused: boolean) => Promise<Tokens>;
  readonly accessTokenOf: (tokens: Tokens) => string;
}

/**
 * API document 5.3: tokens that are held until they expire or are answered 401. Others are obtained once,
 * for every call of this process that waits for them.
 */
export function heldAuthentication<Tokens>(parts: HeldTokens<Tokens>): Authentication {
  const { isFresh, obtain, accessTokenOf } = parts;
  let held: Tokens | undefined;
  let flight: Promise<Tokens> | undefined;

  const headerOf = (tokens: Tokens): string => bearer(accessTokenOf(tokens));

  const obtainOnce = (isRefused: boolean): Promise<Tokens> => {
    flight ??= obtain(held, isRefused)
      .then((tokens) => {
        held = tokens;
        return tokens;
      })
      .finally(() => {
        flight = undefined;
      });
    return flight;
  };

  return {
    authorization: async () => {
      if (held !== undefined && isFresh(held)) return headerOf(held);
      return headerOf(await obtainOnce(false));
    },
    renew: async (refused) => {
      // Another call was refused first and has other tokens by now.
      if (held !== undefined && headerOf(held) !== refused) return headerOf(held);
      return headerOf(await obtainOnce(true));
    },
  };
}
