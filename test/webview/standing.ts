/** A page with a stopped clock, so that results do not depend on how fast the machine clicks. */
import type { Form } from './harness.ts';

/** From now on only `page.clock` advances time; frames too, so `Form.show` cannot be used. */
export async function stopTheClock<Message, Sent>(form: Form<Message, Sent>): Promise<void> {
  form.keep();
  const begun = new Date('2026-11-20T20:00:00Z');
  await form.page.clock.install({ time: begun });
  await form.reload();
  await form.page.clock.pauseAt(begun.getTime() + 60 * 60_000);
}

/** Sends a snapshot without waiting. */
export async function post<Message, Sent>(form: Form<Message, Sent>, snapshot: Sent): Promise<void> {
  await form.page.evaluate((message) => {
    window.postMessage(message, '*');
  }, snapshot);
}
