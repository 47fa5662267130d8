import { MalformedSecretError } from '../contract/key-secret.ts';
import { parseSealSecret, rotatedSealSecret } from '../contract/seal.ts';
import { stages } from '../ports/secret-versions.ts';
import { createRotation, type RotationParts } from '../rotation/rotation.ts';
import { RotationError } from '../rotation/rotation-event.ts';

export interface SealRotationParts extends RotationParts {
  /** 64 hexadecimal digits that nobody can guess. */
  readonly newKey: () => string;
}

/** The rotation function of the seal secret: each key moves one place on, and a new one is the next. */
export function createSealRotation({ newKey, ...parts }: SealRotationParts) {
  const { versions } = parts;

  async function textOf(which: Parameters<typeof versions.read>[0]): Promise<string> {
    const text = (await versions.read(which))?.text;
    if (text === undefined) throw new RotationError('The version has no value; rotate again.');
    parseSealSecret(text);
    return text;
  }

  return createRotation(parts, {
    safeErrors: [MalformedSecretError],
    steps: {
      async createSecret({ id }) {
        if ((await versions.read({ versionId: id })) !== undefined) return 'already has its value';
        const current = await textOf({ stage: stages.current });
        const kept = await versions.putPending({
          versionId: id,
          text: rotatedSealSecret(current, newKey()),
        });
        // Another attempt of this step was faster, with a key as good as ours.
        return kept === 'taken' ? 'already has its value' : 'has a new key';
      },
      setSecret: async () => 'nothing to set',
      // Secrets Manager also tests a new schedule with this step, and then the version has no value.
      testSecret: async () => 'nothing to test',
      async finishSecret({ id, currentId }) {
        await textOf({ versionId: id });
        await versions.makeCurrent({ to: id, from: currentId });
        return 'is current';
      },
    },
  });
}
