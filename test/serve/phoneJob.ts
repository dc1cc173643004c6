/** An agent asks and waits; a phone answers with a passkey; the waiting call returns. */
import path from 'node:path';
import { readAll } from '../support/answerForm.ts';
import { root } from '../support/host.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { addDevice, launch, signedIn, sizes } from './browser.ts';
import { enrol } from './enrolling.ts';
import { startServe } from './program.ts';
import type { Called } from '../support/holdpoint.ts';

const upperHalf = { width: sizes.phone.width, height: 480 };

/** Takes pictures of the phone. */
export async function playPhoneJob(say: (line: string) => void): Promise<Called> {
  const served = await startServe();
  const browser = await launch();
  try {
    say(`A server of forms listens at ${served.origin}; its terminal shows a code.`);
    const phone = await signedIn(browser, served, { viewport: sizes.phone, hasTouch: true, isMobile: true });
    const picture = (name: string) =>
      phone.page.screenshot({
        path: path.join(root, 'screenshots', `${name}.png`),
        clip: { x: 0, y: 0, ...upperHalf },
      });
    await addDevice(phone.page);
    await enrol(phone, served, 'Ada');
    say('A browser of 390 px adds a passkey after its code was compared, and signs in with it.');
    await served.agent('work', 'register', '--id', 't-1', '--kind', 'task', '--title', 'API tokens');
    const asked = [
      '--text',
      'JWT or sessions?',
      '--blocking-task-id',
      't-1',
      '--choice',
      'Use JWT',
      '--choice',
      'Use sessions',
    ];
    const waiting = served.agent('question', 'create', ...asked, '--wait', '120');
    say('copilot-001 asks “JWT or sessions?” and waits.');
    await phone.page.getByRole('link', { name: 'JWT or sessions?' }).tap();
    await phone.page.locator('main[data-ready=true]').waitFor();
    await picture('phone-asks');
    await phone.page.getByText('Use sessions').tap();
    await readAll(phone.page);
    await phone.page.locator('[data-act=decide]').tap();
    say('The phone answers “Use sessions”, and its passkey signs that.');
    const returned = await waiting;
    await phone.page.locator('.result').waitFor();
    await picture('phone-answered');
    say('The waiting call returns:');
    for (const line of returned.out.split('\n')) say(`  ${line}`);
    return returned;
  } finally {
    await browser.close();
    await served.stop();
    removeSandboxes();
  }
}
