import { setTimeout as pause } from 'node:timers/promises';
import { createQuestions } from '../acceptance/questions.ts';
import type { StoredAnswer, StoredAnswers } from './kept-release.ts';
import { questions, sentEvents } from './sent-events.ts';

/** Long enough for one event to be recorded before the next one comes, whatever the release is like. */
const pauseMilliseconds = 500;

/** What is sent to a release that runs in local mode, and asked of it. */
export function createQuestioning(baseUrl: string) {
  const { post, get } = createQuestions({ webhookUrl: `${baseUrl}/webhooks/payments`, queryUrl: baseUrl });
  return {
    async sendEvents(): Promise<void> {
      for (const { body, ...options } of sentEvents) {
        const { status } = await post(body, options);
        if (status !== 202) throw new Error(`An event was answered ${status}.`);
        await pause(pauseMilliseconds);
      }
    },
    async askQuestions(): Promise<StoredAnswers> {
      const asked_at = new Date().toISOString();
      const answers: StoredAnswer[] = [];
      const paths = [...questions];
      for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
        const { status, json: body } = await get(path);
        answers.push({ path, status, body });
        const cursor = body['next_cursor'];
        if (typeof cursor === 'string') paths.push(`/orders?limit=4&cursor=${cursor}`);
      }
      return { asked_at, answers };
    },
  };
}
