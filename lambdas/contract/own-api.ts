/** The variable of the API's stage with the proof: API Gateway adds it to each event, outside of the request. */
export const proofVariable = 'proof';

/** By which account, API and stage a request came. None of them is a secret. */
export const ownApiOf = (
  given: { readonly accountId?: string; readonly apiId?: string; readonly stage?: string } = {},
): string => `${given.accountId}/${given.apiId}/${given.stage}`;
