/** A person adds a passkey of a browser: the page shows a code, and the form in the editor compares it. */
import assert from 'node:assert/strict';
import { pinKey } from '../../src/app/keys/enrolment.ts';
import { offerCode, readPasskeyOffers } from '../../src/app/keys/acts.ts';
import type { Visit } from './browser.ts';
import type { Served } from './program.ts';

/** From a page with a session that a code opened; ends on the same page, signed in with the passkey. */
export async function enrol(
  { page }: Pick<Visit, 'page'>,
  { sandbox, origin }: Served,
  name: string,
  from = '/',
): Promise<void> {
  await page.goto(`${origin}${from}`);
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of this device').fill(`${name}’s phone`);
  await page.getByRole('button', { name: 'Create the passkey' }).click();
  const code = await page.locator('.offer-code').innerText();
  const workspace = sandbox.open({ clock: Date.now });
  const offer = readPasskeyOffers(workspace).find((one) => offerCode(one) === code);
  assert.ok(offer, 'the editor sees what the page offers, under the code that the page shows');
  pinKey(workspace, { publicKey: offer.publicKey, name, passkey: offer.passkey });
  workspace.close();
  await page.getByText('The editor has added the passkey.').waitFor();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(`${origin}${from}`);
  await page.locator('.browser-inbox h1').waitFor({ state: 'attached' });
  await page.locator('main[data-view]').waitFor({ state: 'attached' });
}
