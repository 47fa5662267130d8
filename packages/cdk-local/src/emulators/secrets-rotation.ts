import type { Invocation } from '../functions/invocation.ts';

/** What Secrets Manager sends to a rotation function. */
export interface RotationEvent {
  readonly SecretId: string;
  readonly ClientRequestToken: string;
  readonly Step: string;
}

/** Runs a rotation function once. */
export type InvokeRotation = (event: RotationEvent) => Promise<Invocation>;

export interface Rotations {
  /** From now on the secret can be rotated, by this function. */
  rotateWith(secretArn: string, invoke: InvokeRotation): void;
  isEnabled(secretArn: string): boolean;
  isUnderWay(secretArn: string): boolean;
  /** Runs the four steps, one after the other, to the end or to the first that fails. */
  start(rotation: { readonly secretArn: string; readonly versionId: string }): void;
  /** Begins no further step, and resolves when the one that runs has ended. */
  stop(): Promise<void>;
}

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];

/**
 * Rotations of one Secrets Manager, one at a time for a secret. A failure leaves AWSPENDING where it is, as
 * the service does; what the service tries again by itself is tried again here when somebody asks.
 */
export function createRotations(onRotated: (secretArn: string) => Promise<void>): Rotations {
  const functions = new Map<string, InvokeRotation>();
  const running = new Map<string, Promise<void>>();
  let stopped = false;

  const run = async (secretArn: string, versionId: string): Promise<void> => {
    for (const Step of steps) {
      const invoke = functions.get(secretArn);
      if (stopped || invoke === undefined) return;
      const outcome = await invoke({ SecretId: secretArn, ClientRequestToken: versionId, Step });
      if (!outcome.ok) return;
    }
    await onRotated(secretArn);
  };

  return {
    rotateWith: (secretArn, invoke) => void functions.set(secretArn, invoke),
    isEnabled: (secretArn) => functions.has(secretArn),
    isUnderWay: (secretArn) => running.has(secretArn),
    start({ secretArn, versionId }) {
      if (running.has(secretArn)) return;
      const rotation = run(secretArn, versionId)
        // A function that cannot be invoked has failed like one that throws: its own log says why.
        .catch(() => {})
        .finally(() => running.delete(secretArn));
      running.set(secretArn, rotation);
    },
    async stop() {
      stopped = true;
      await Promise.all(running.values());
    },
  };
}
