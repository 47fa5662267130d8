import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBusProps } from 'aws-cdk-lib/aws-events';
import { Grant, type IGrantable, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { type Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';
import { deploymentNameOf } from './deployment-name.ts';
import { noGrants, serviceStatements } from './key-policy.ts';

/** The services that call KMS with the permissions of a role, when the role calls them. */
type Service = 'dynamodb' | 'secretsmanager' | 'sqs';

/**
 * The KMS key of everything that the stack stores, when `encryptionKeyArn` names one; otherwise each service
 * uses a key of AWS, which no one can switch off by mistake. `docs/encryption.md` has the trade-off.
 *
 * Not of the alarm topic and of the feed failures: they must work while this key is disabled.
 */
export class Encryption extends Construct {
  readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, { encryptionKeyArn, keepData }: Configuration) {
    super(scope, id);
    if (encryptionKeyArn === undefined) return;
    const keyArn = encryptionKeyArn === 'own' ? this.#createKey(keepData).keyArn : encryptionKeyArn;
    // Both kinds are imported, so that no construct of CDK adds to a policy that is complete.
    this.key = Key.fromKeyArn(this, 'Imported', keyArn);
  }

  /** The key as a property of a construct, under the name that it has there. */
  as<Name extends string>(name: Name): Partial<Record<Name, IKey>> {
    return this.key === undefined ? {} : ({ [name]: this.key } as Record<Name, IKey>);
  }

  /** Cents more than the key that AWS owns, and CloudTrail shows who decrypted data. */
  get ofTable(): { readonly encryption: TableEncryption; readonly encryptionKey?: IKey } {
    const encryption =
      this.key === undefined ? TableEncryption.AWS_MANAGED : TableEncryption.CUSTOMER_MANAGED;
    return { encryption, ...this.as('encryptionKey') };
  }

  get ofQueue(): Pick<QueueProps, 'encryption' | 'encryptionMasterKey'> {
    const encryption = this.key === undefined ? QueueEncryption.SQS_MANAGED : QueueEncryption.KMS;
    return { encryption, ...this.as('encryptionMasterKey') };
  }

  /**
   * Of the bus, which has the deployment's name. While the key cannot be used, EventBridge accepts events and
   * drops them, unless the bus has a queue for them.
   */
  ofBus(deadLetterQueue: Queue): Pick<EventBusProps, 'kmsKey' | 'deadLetterQueue'> {
    if (this.key === undefined) return {};
    const bus = { service: 'events', resource: 'event-bus', resourceName: deploymentNameOf(this) };
    deadLetterQueue.addToResourcePolicy(
      new PolicyStatement({
        sid: 'BusSends',
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [deadLetterQueue.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': Stack.of(this).formatArn(bus) } },
      }),
    );
    return { kmsKey: this.key, deadLetterQueue };
  }

  /** Lets a role read what a service has encrypted, and write to a table, whose key DynamoDB makes itself. */
  grantDecrypt(grantee: IGrantable, service: Service): void {
    this.#grant(grantee, service, ['kms:Decrypt']);
  }

  /** Lets a role send a message or store a secret; the services decrypt the new data key to verify it. */
  grantEncrypt(grantee: IGrantable, service: Service): void {
    this.#grant(grantee, service, ['kms:GenerateDataKey', 'kms:Decrypt']);
  }

  #grant(grantee: IGrantable, service: Service, actions: string[]): void {
    if (this.key === undefined) return;
    const via = `${service}.${Stack.of(this).region}.amazonaws.com`;
    const conditions = { StringEquals: { 'kms:ViaService': via } };
    Grant.addToPrincipal({ grantee, actions, resourceArns: [this.key.keyArn], conditions });
  }

  #createKey(keepData: boolean): Key {
    const name = deploymentNameOf(this);
    const key = new Key(this, 'Key', {
      description: `Everything that ${name} stores`,
      alias: name,
      enableKeyRotation: true,
      // Without its key, whatever else is retained is lost.
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    for (const statement of [...serviceStatements(this), noGrants()]) key.addToResourcePolicy(statement);
    return key;
  }
}
