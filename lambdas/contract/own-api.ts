/** The variable of the API's stage with the proof, which API Gateway adds to each event. */
export const proofVariable = 'proof';

/** By which account, API and stage a request came. None of them is a secret. */
export const ownApiOf = (
  given: { readonly accountId?: string; readonly apiId?: string; readonly stage?: string } = {},
): string => `${given.accountId}/${given.apiId}/${given.stage}`;
