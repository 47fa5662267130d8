/**
 * Replaces `@aws-sdk/middleware-endpoint-discovery`, through which DynamoDB names its endpoint if that is
 * switched on, and which brings a cache of its own.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = { default: false };
export const resolveEndpointDiscoveryConfig = (config) => config;
