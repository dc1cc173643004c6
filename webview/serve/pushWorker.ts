/** The service worker: shows what the server pushes, and opens its page. It keeps nothing and serves nothing. */
interface Worker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { openWindow(url: string): Promise<unknown> };
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void;
}

interface Waiting {
  waitUntil(done: Promise<unknown>): void;
}

interface PushEvent extends Waiting {
  readonly data: { json(): unknown } | null;
}

interface ClickEvent extends Waiting {
  readonly notification: Notification;
}

const worker = globalThis as unknown as Worker;

worker.addEventListener('push', (event) => {
  const { text, path } = contentOf(event);
  event.waitUntil(worker.registration.showNotification('Holdpoint', { body: text, tag: path, data: path }));
});

/** Browsers want a notification for every message, also for one that cannot be read. */
function contentOf({ data }: PushEvent): { readonly text: string; readonly path: string } {
  try {
    const { text, path } = data?.json() as Readonly<Record<string, unknown>>;
    if (typeof text === 'string' && typeof path === 'string') return { text, path };
  } catch {
    // The fallback follows.
  }
  return { text: '', path: '/' };
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const path = String(event.notification.data);
  event.waitUntil(worker.clients.openWindow(/^\/open\/[A-Z]+-\d+$/.test(path) ? path : '/'));
});
