/** Requests of pages to their server. */

/** The status, or 0 without an answer. */
export async function postJson(url: string, body: unknown, signal?: AbortSignal): Promise<number> {
  return (await ask(url, body, signal)).status;
}

export interface Reply {
  readonly status: number;
  readonly data: unknown;
}

/** Sends JSON and reads JSON. */
export async function ask(url: string, body: unknown, signal: AbortSignal | null = null): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  try {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
    const text = await response.text();
    return { status: response.status, data: text.startsWith('{') ? JSON.parse(text) : null };
  } catch {
    return { status: 0, data: null };
  }
}

export interface SessionFacts {
  /** Whether it may read; if not, it can only add a passkey. */
  readonly reads: boolean;
  readonly passkey: boolean;
}

/** The session; null when there is none, undefined when the server does not answer. */
export async function readSession(): Promise<SessionFacts | null | undefined> {
  try {
    const response = await fetch('/session');
    if (response.status === 401) return null;
    return response.ok ? ((await response.json()) as SessionFacts) : undefined;
  } catch {
    return undefined;
  }
}
