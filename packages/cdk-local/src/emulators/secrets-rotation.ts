import type { Invocation } from '../functions/invocation.ts';

/** The event of a rotation function. */
export interface RotationEvent {
  readonly SecretId: string;
  readonly ClientRequestToken: string;
  readonly Step: string;
}

type InvokeRotation = (event: RotationEvent) => Promise<Invocation>;

export type Rotations = ReturnType<typeof createRotations>;

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];

/**
 * Rotations of one Secrets Manager, one at a time for a secret. A failure leaves AWSPENDING where it is, like
 * the service. The service also retries by itself; here only another RotateSecret does.
 */
export function createRotations(onRotated: (secretArn: string) => Promise<void>) {
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
    /** From now on this function can rotate the secret. */
    rotateWith: (secretArn: string, invoke: InvokeRotation) => void functions.set(secretArn, invoke),
    isEnabled: (secretArn: string) => functions.has(secretArn),
    /** Runs the four steps, one after the other, until one fails. */
    start({ secretArn, versionId }: { secretArn: string; versionId: string }) {
      if (running.has(secretArn)) return;
      const rotation = run(secretArn, versionId)
        // A function that cannot be invoked has failed like one that throws: its own log has the reason.
        .catch(() => {})
        .finally(() => running.delete(secretArn));
      running.set(secretArn, rotation);
    },
    /** Begins no further step, and resolves when the one that runs has ended. */
    async stop() {
      stopped = true;
      await Promise.all(running.values());
    },
  };
}
