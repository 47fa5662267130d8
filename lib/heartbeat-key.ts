import { RemovalPolicy } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Encryption } from './encryption.ts';

/**
 * The key that signs heartbeats. No person needs it, and it protects no payment, so CloudFormation makes it
 * and deletes it.
 */
export class HeartbeatKey extends Construct {
  readonly secretArn: string;
  readonly #encryption: Encryption;

  constructor(scope: Construct, id: string, encryption: Encryption) {
    super(scope, id);
    this.#encryption = encryption;
    const { key } = encryption;
    const secret = new CfnSecret(this, 'Resource', {
      description: 'Signs heartbeats; no person needs it.',
      // 64 hexadecimal digits.
      generateSecretString: {
        passwordLength: 64,
        excludeUppercase: true,
        excludePunctuation: true,
        excludeCharacters: 'ghijklmnopqrstuvwxyz',
        requireEachIncludedType: false,
      },
      ...(key !== undefined && { kmsKeyId: key.keyArn }),
    });
    secret.applyRemovalPolicy(RemovalPolicy.DESTROY);
    this.secretArn = secret.ref;
  }

  grantGetValue(grantee: IGrantable): void {
    const actions = ['secretsmanager:GetSecretValue'];
    Grant.addToPrincipal({ grantee, actions, resourceArns: [this.secretArn] });
    this.#encryption.grantDecrypt(grantee, 'secretsmanager');
  }
}
