import type { Target } from '../target.ts';
import { cursorTarget } from './cursor.ts';
import { createEventTarget } from './event.ts';
import { keySecretTarget } from './key-secret.ts';
import { createListParametersTarget } from './list-parameters.ts';
import { createSignatureHeaderTarget } from './signature-header.ts';

export const createTargets = async (): Promise<readonly Target[]> => [
  createEventTarget(),
  createSignatureHeaderTarget(),
  cursorTarget,
  keySecretTarget,
  await createListParametersTarget(),
];
