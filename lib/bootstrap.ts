import { DefaultStackSynthesizer, type IStackSynthesizer, type StackProps } from 'aws-cdk-lib';

/** Names the `cdk bootstrap` whose roles deploy a stack; by default CDK reads it from its own context. */
export const bootstrapOf = (qualifier: string | undefined): Pick<StackProps, 'synthesizer'> =>
  qualifier === undefined
    ? {}
    : { synthesizer: new DefaultStackSynthesizer({ qualifier }) as IStackSynthesizer };
