import type { Synthesis } from '../synthesis.ts';

/** Whether API Gateway admits one more request, by the rate and the burst of the template. */
export function createThrottle(stack: Synthesis, construct: string, now: () => number): () => boolean {
  const { DefaultRouteSettings } = stack.at(`${construct}/Endpoint/Stage`).Properties;
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = DefaultRouteSettings as {
    readonly ThrottlingRateLimit: number;
    readonly ThrottlingBurstLimit: number;
  };
  let tokens = burst;
  let refilledAt = now();
  return function admits() {
    tokens = Math.min(burst, tokens + (rate * (now() - refilledAt)) / 1_000);
    refilledAt = now();
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
