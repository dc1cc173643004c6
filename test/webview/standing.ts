/** A page whose clock stands: what depends on how quickly somebody clicks comes out the same on any machine. */
import type { Form } from './harness.ts';

/** From now on time goes on by `page.clock` alone; frames do too, so nothing can be shown with `Form.show`. */
export async function stopTheClock<Message, Sent>(form: Form<Message, Sent>): Promise<void> {
  form.keep();
  const begun = new Date('2026-11-20T20:00:00Z');
  await form.page.clock.install({ time: begun });
  await form.reload();
  await form.page.clock.pauseAt(begun.getTime() + 60 * 60_000);
}

/** Sends a snapshot, and waits for nothing. */
export async function post<Message, Sent>(form: Form<Message, Sent>, snapshot: Sent): Promise<void> {
  await form.page.evaluate((message) => {
    window.postMessage(message, '*');
  }, snapshot);
}
