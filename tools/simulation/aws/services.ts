import { AwsError } from '@payhooks/cdk-local/aws-error';
import type { Clock } from '../clock.ts';
import type { BusMessage } from '../history.ts';
import type { Random } from '../random.ts';

export type Parameters = Record<string, unknown>;

/** The operations of a service by name, done within the moment of the call. They throw an `AwsError`. */
export type Operations = Readonly<Record<string, (given: Parameters) => object | Promise<object>>>;

/** Secrets Manager with these secrets, by their ARNs. */
export function createSecretOperations(values: Readonly<Record<string, () => string>>): Operations {
  return {
    GetSecretValue({ SecretId }) {
      const value = values[String(SecretId)];
      if (value === undefined) throw new AwsError('ResourceNotFoundException', 'There is no such secret.');
      return { ARN: SecretId, Name: 'keys', SecretString: value(), VersionStages: ['AWSCURRENT'] };
    },
  };
}

interface PutEvents {
  readonly Entries: readonly {
    readonly Source: string;
    readonly DetailType: string;
    readonly Detail: string;
  }[];
}

/** EventBridge's PutEvents; `onMessage` receives every entry that is accepted. */
export function createBusOperations(parts: {
  readonly clock: Clock;
  readonly random: Random;
  readonly onMessage: (message: BusMessage) => void;
}): Operations {
  return {
    PutEvents(given) {
      const { Entries } = given as unknown as PutEvents;
      const results = Entries.map(({ Source, DetailType, Detail }) => {
        const EventId = parts.random.uuid();
        const message = { id: EventId, source: Source, detailType: DetailType, detail: Detail };
        parts.onMessage({ at: parts.clock.now(), ...message });
        return { EventId };
      });
      return { FailedEntryCount: 0, Entries: results };
    },
  };
}
