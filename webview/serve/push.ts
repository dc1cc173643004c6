/** Notifications of this device, where the browser and the address allow them. */
import { ask, postJson } from './http.ts';

/** Null where the browser has none, or the page has no https. */
export async function isSubscribed(): Promise<boolean | null> {
  if (location.protocol !== 'https:' || !('serviceWorker' in navigator) || !('PushManager' in globalThis)) return null;
  const made = await subscriptionNow();
  if (!made) return false;
  const { data } = await ask('/push/state', { endpoint: made.endpoint });
  return (data as { readonly subscribed?: boolean } | null)?.subscribed === true;
}

/** Asks for the browser's permission. `blocked`: the person has to change the browser's settings first. */
export async function subscribe(): Promise<'subscribed' | 'blocked' | 'failed'> {
  try {
    const { publicKey } = (await (await fetch('/push/key')).json()) as { readonly publicKey: string };
    await navigator.serviceWorker.register('/push-worker.js');
    const { pushManager } = await navigator.serviceWorker.ready;
    // One that the server does not know may belong to another key.
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    const { endpoint, keys } = made.toJSON();
    if ((await postJson('/push/subscribe', { endpoint, keys })) === 204) return 'subscribed';
    await made.unsubscribe();
    return 'failed';
  } catch {
    return Notification.permission === 'denied' ? 'blocked' : 'failed';
  }
}

/** Whether the server sends this device nothing more. */
export async function unsubscribe(): Promise<boolean> {
  const made = await subscriptionNow();
  if (!made) return true;
  if ((await postJson('/push/end', { endpoint: made.endpoint })) !== 204) return false;
  await made.unsubscribe();
  return true;
}

async function subscriptionNow(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ?? null;
}
