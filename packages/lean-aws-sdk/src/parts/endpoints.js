/** Replaces `@smithy/core/endpoints` for commands: a client finds its endpoint once, in `client.js`. */
export * from 'whole-sdk/@smithy/core/dist-es/submodules/endpoints/index.js';

export const getEndpointPlugin = () => ({ applyToStack: () => {} });
