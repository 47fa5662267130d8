import type { Mode } from '../lambdas/domain/signature.ts';

/** The mode that the option `--sandbox` chooses. */
export const chosenMode = ({ sandbox }: { readonly sandbox?: true | undefined }): Mode =>
  sandbox ? 'sandbox' : 'live';
