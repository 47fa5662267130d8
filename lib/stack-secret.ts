import { RemovalPolicy } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Encryption } from './encryption.ts';

export interface StackSecretProps {
  readonly description: string;
  readonly encryption: Encryption;
  /** Whether it outlives the stack. */
  readonly isKept: boolean;
  /** An existing secret that is used instead of one of the stack. */
  readonly adoptedArn?: string | undefined;
  /**
   * How many hexadecimal digits CloudFormation makes as its value. Otherwise the operator stores the first
   * one: a generated value would be useless, and CloudFormation would overwrite the operator's value with a
   * new one if that property ever changed.
   */
  readonly generatedDigits?: number;
}

const hexadecimal = (passwordLength: number): CfnSecret.GenerateSecretStringProperty => ({
  passwordLength,
  excludeUppercase: true,
  excludePunctuation: true,
  excludeCharacters: 'ghijklmnopqrstuvwxyz',
  requireEachIncludedType: false,
});

/** A secret of the stack. Not CDK's `Secret`, which always generates a value. */
export class StackSecret extends Construct {
  readonly secretArn: string;
  readonly #encryption: Encryption;

  constructor(scope: Construct, id: string, props: StackSecretProps) {
    super(scope, id);
    this.#encryption = props.encryption;
    this.secretArn = props.adoptedArn ?? this.#create(props);
  }

  /** Permits only GetSecretValue: a reader does not use DescribeSecret. */
  grantGetValue(grantee: IGrantable): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [this.secretArn],
    });
    this.#encryption.grantDecrypt(grantee, 'secretsmanager');
  }

  #create({ description, isKept, generatedDigits, encryption: { key } }: StackSecretProps): string {
    const secret = new CfnSecret(this, 'Resource', {
      description,
      ...(generatedDigits && { generateSecretString: hexadecimal(generatedDigits) }),
      ...(key !== undefined && { kmsKeyId: key.keyArn }),
    });
    secret.applyRemovalPolicy(isKept ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY);
    return secret.ref;
  }
}
