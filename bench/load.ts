/** Load on a running `holdpoint serve`: requests at a steady rate, one in fifty of them an agent's urgent question. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface Target {
  readonly origin: string;
  /** Of a session that reads. */
  readonly cookie: string;
  /** Of an agent. */
  readonly token: string;
}

export interface Loaded {
  /** Milliseconds, one for each request. */
  readonly took: readonly number[];
  /** Why requests failed. */
  readonly failed: readonly string[];
}

export const perSecond = 50;

/** @param name makes the questions unique */
export async function load({ origin, cookie, token }: Target, seconds: number, name: string): Promise<Loaded> {
  const client = await connect(origin, token);
  const took: number[] = [];
  const failed: string[] = [];
  const timed = async (act: () => Promise<unknown>) => {
    const began = performance.now();
    try {
      await act();
    } catch (error) {
      failed.push(error instanceof Error ? error.message : String(error));
    }
    took.push(performance.now() - began);
  };
  const read = async (path: string, headers: Readonly<Record<string, string>>) => {
    const response = await fetch(`${origin}${path}`, { headers });
    await response.text();
    if (!response.ok) throw new Error(`${path}: ${String(response.status)}`);
  };
  const reads = ['/', '/session', '/open/Q-1', '/texts', '/briefing'].map((path) => () => read(path, { cookie }));
  const acts = [...reads, () => read('/api/whoami', { authorization: `Bearer ${token}` })];
  const ask = (number: number) =>
    client.callTool({
      name: 'holdpoint_raise_question',
      arguments: { text: `${name} ${String(number)}?`, work_id: 'free', urgency: 'critical', wait_seconds: 0 },
    });
  const all: Promise<void>[] = [];
  const began = performance.now();
  for (let count = 0; count < seconds * perSecond; count += 1) {
    await sleep(Math.max(0, began + (count * 1_000) / perSecond - performance.now()));
    const act = acts[count % acts.length];
    if (count % perSecond === 0) all.push(timed(() => ask(count / perSecond)));
    else if (act) all.push(timed(act));
  }
  await Promise.all(all);
  await client.close();
  return { took, failed };
}

async function connect(origin: string, token: string): Promise<Client> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const client = new Client({ name: 'bench', version: '1.0.0' }, { capabilities: {} });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
  return client;
}
