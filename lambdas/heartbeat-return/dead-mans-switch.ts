import { deadMansSwitchMillisecondsMax } from '../contract/heartbeat.ts';
import type { Get } from '../ports/get.ts';

/** Called while all is well; rejects when it was not reached, or when alarms would reach no one. */
export type DeadMansSwitch = () => Promise<void>;

/** No message has the URL: it is a secret of the service behind it. */
class SwitchNotCalledError extends Error {
  override readonly name = 'SwitchNotCalledError';
}

interface SwitchParts {
  readonly url: string;
  /** Where to read the attributes of the alarm topic; `undefined` when it is not of the stack. */
  readonly topic: { readonly url: string; readonly get: Get } | undefined;
}

export function createDeadMansSwitch({ url, topic }: SwitchParts): DeadMansSwitch {
  return async function callSwitch() {
    if (topic !== undefined && confirmedIn(await topic.get(topic.url)) === 0)
      throw new SwitchNotCalledError('The alarm topic has no confirmed subscription: alarms reach no one.');
    const signal = AbortSignal.timeout(deadMansSwitchMillisecondsMax);
    const { ok, status } = await fetch(url, { signal });
    if (!ok) throw new SwitchNotCalledError(`deadMansSwitchUrl responded ${status}; expected 2xx.`);
  };
}

/** SNS responds with XML. */
const confirmedIn = (attributes: string): number =>
  Number(/<key>SubscriptionsConfirmed<\/key>\s*<value>(\d+)</.exec(attributes)?.[1] ?? 0);
