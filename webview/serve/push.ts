/** Notifications of this device, where the browser and the address allow them. */
import { postJson } from './http.ts';

/** Null where the browser has none, or the page has no https. */
export async function isSubscribed(): Promise<boolean | null> {
  if (location.protocol !== 'https:' || !('serviceWorker' in navigator) || !('PushManager' in globalThis)) return null;
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) != null;
}

/** Whether this device gets notifications now. Asks for the browser's permission. */
export async function subscribe(): Promise<boolean> {
  try {
    const { publicKey } = (await (await fetch('/push/key')).json()) as { readonly publicKey: string };
    await navigator.serviceWorker.register('/push-worker.js');
    const registration = await navigator.serviceWorker.ready;
    const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    const { endpoint, keys } = made.toJSON();
    return (await postJson('/push/subscribe', { endpoint, keys })) === 204;
  } catch {
    return false;
  }
}

export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  const made = await registration?.pushManager.getSubscription();
  if (!made) return;
  await made.unsubscribe();
  await postJson('/push/end', { endpoint: made.endpoint });
}
