/**
 * Replaces `@smithy/core/config`: the same settings, from the environment only. Lambda has no
 * `~/.aws/config`, for which the original looks in the file system, and which it parses.
 */
export * from '../../../node_modules/@smithy/core/dist-es/submodules/config/index.js';

export function loadConfig({ environmentVariableSelector, default: otherwise }) {
  return async function loadFromEnvironment() {
    const value = environmentVariableSelector(process.env);
    if (value !== undefined) return value;
    return typeof otherwise === 'function' ? otherwise() : otherwise;
  };
}

/** The SDK's default. Any other mode only changes timeouts and retries, which `clientOptions` sets. */
export function resolveDefaultsModeConfig() {
  return async function loadDefaultsMode() {
    return 'legacy';
  };
}
