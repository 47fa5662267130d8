import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alarmGuide } from '../../lambdas/contract/alarm-guide.ts';
import { type Synthesis, synthesise } from './synthesis.ts';

const pages = 'arn:aws:sns:eu-central-1:111122223333:pages';
const tickets = 'arn:aws:sns:eu-central-1:111122223333:tickets';
const standard = synthesise();
const withKey = synthesise({ encryptionKeyArn: 'own' });

interface Topics {
  readonly actions: unknown;
  readonly okActions: unknown;
}

/** What each alarm of a stack notifies, by the name of the alarm without that of the stack. */
function topicsOf({ propertiesOf }: Synthesis): ReadonlyMap<string, Topics> {
  const alarms = [
    ...propertiesOf('AWS::CloudWatch::Alarm'),
    ...propertiesOf('AWS::CloudWatch::CompositeAlarm'),
  ];
  return new Map(
    alarms.map(({ AlarmName, AlarmActions, OKActions }) => [
      String(AlarmName).replace('payhooks-production-', ''),
      { actions: AlarmActions, okActions: OKActions },
    ]),
  );
}

const expectTopics = (stack: Synthesis, page: unknown, ticket: unknown): void => {
  const topics = topicsOf(stack);
  expect(topics.size).toBeGreaterThan(25);
  for (const [name, { actions, okActions }] of topics) {
    const { severity } = alarmGuide[name as keyof typeof alarmGuide];
    const expected = [severity === 'now' ? page : ticket];
    expect({ name, actions, okActions }).toEqual({ name, actions: expected, okActions: expected });
  }
};

describe('the setting alarmTopicArn', () => {
  const stack = synthesise({ alarmTopicArn: pages });

  it('makes every alarm notify the existing topic', () => {
    expectTopics(stack, pages, pages);
    expect(stack.outputs['AlarmTopicArn']?.Value).toBe(pages);
  });

  it('leaves the stack without a topic, a key and a subscription of its own', () => {
    const own = /^AWS::(SNS|KMS)::/;
    const typesOf = ({ resources }: Synthesis) => [...resources.values()].map(({ Type }) => Type);
    expect(typesOf(stack).filter((type) => own.test(type))).toEqual([]);
    expect(typesOf(standard).filter((type) => own.test(type))).toHaveLength(2);
  });
});

describe('the setting ticketTopicArn', () => {
  it('makes alarms that need no one at night notify that topic, and the others the topic of the stack', () => {
    const settings = { ticketTopicArn: tickets, alarmEmail: 'oncall@example.com', eventsAtRiskAlarm: true };
    const stack = synthesise(settings);
    expectTopics(stack, { Ref: stack.idAt('Alarms/Topic') }, tickets);
    expect(topicsOf(stack).get('EventsAtRisk')?.actions).toEqual([{ Ref: stack.idAt('Alarms/Topic') }]);
    expect(topicsOf(stack).get('WaitingCountSilent')?.actions).toEqual([tickets]);
    expect(stack.outputs['TicketTopicArn']?.Value).toBe(tickets);
  });

  it('works with alarmTopicArn', () => {
    expectTopics(synthesise({ alarmTopicArn: pages, ticketTopicArn: tickets }), pages, tickets);
  });

  it('has no output when it is not set, because there is one topic', () => {
    expect(standard.outputs['TicketTopicArn']).toBeUndefined();
  });
});

describe('the setting alarmOkActions', () => {
  it('is what makes an alarm notify its topic when it ends', () => {
    const topic = [{ Ref: standard.idAt('Alarms/Topic') }];
    for (const { actions, okActions } of topicsOf(standard).values()) {
      expect({ actions, okActions }).toEqual({ actions: topic, okActions: topic });
    }
    for (const { actions, okActions } of topicsOf(synthesise({ alarmOkActions: false })).values()) {
      expect({ actions, okActions }).toEqual({ actions: topic, okActions: undefined });
    }
  });
});

describe('docs/settings.md', () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');
  const [, section = ''] = document.split('\n## Existing topics for alarms\n');
  const [topicStatement, keyStatement] = [...section.matchAll(/```json\n(.*?)```/gs)].map(([, json]) =>
    JSON.parse(json ?? ''),
  );
  /** The statements of a policy of the stack's own topic, for the topic and the account that the page names. */
  const statementsAt = (path: string, property: string): unknown[] => {
    const policy = JSON.stringify(withKey.at(path).Properties[property])
      .replaceAll('{"Ref":"AWS::AccountId"}', '"111122223333"')
      .replaceAll(
        `{"Ref":"${withKey.idAt('Alarms/Topic')}"}`,
        '"arn:aws:sns:eu-central-1:111122223333:alarms"',
      );
    return (JSON.parse(policy) as { Statement: unknown[] }).Statement;
  };

  it('gives an existing topic the policy that the topic of the stack has', () => {
    expect(statementsAt('Alarms/Topic/Policy', 'PolicyDocument')).toContainEqual(
      expect.objectContaining(topicStatement),
    );
  });

  it('gives the key of an existing topic the policy that the key of the stack has', () => {
    expect(statementsAt('Alarms/Key', 'KeyPolicy')).toContainEqual(expect.objectContaining(keyStatement));
  });
});
