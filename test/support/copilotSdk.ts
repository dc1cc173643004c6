/**
 * Sessions of the Copilot agent as the Agent Host of VS Code 1.139.1 makes them: through `@github/copilot-sdk`, with
 * hooks from files and every permission granted.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNpmHost } from './npmHost.ts';

interface Session {
  sendAndWait(message: { readonly prompt: string }, timeoutMs: number): Promise<unknown>;
}

interface Client {
  start(): Promise<void>;
  createSession(options: object): Promise<Session>;
  stop(): Promise<unknown>;
}

interface Sdk {
  readonly CopilotClient: new (options: object) => Client;
  readonly approveAll: unknown;
}

export const sdkVersion = '1.0.14';

/** The path of the SDK, or why it is unavailable. */
export function findCopilotSdk(): Promise<{ readonly program: string } | { readonly missing: string }> {
  return findNpmHost({
    name: 'copilot-sdk',
    version: sdkVersion,
    packages: ['@github/copilot-sdk'],
    program: path.join('@github', 'copilot-sdk', 'dist', 'index.js'),
  });
}

export interface SdkRun {
  /** The path of the SDK. */
  readonly program: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The address of an OpenAI-compatible model. */
  readonly baseUrl: string;
  readonly mcpServers: object;
  readonly prompt: string;
}

/** Sends one prompt and waits for the end of the turn. */
export async function promptCopilot({ program, folder, env, baseUrl, mcpServers, prompt }: SdkRun): Promise<void> {
  const { CopilotClient, approveAll } = (await import(pathToFileURL(program).href)) as Sdk;
  const client = new CopilotClient({ workingDirectory: folder, env });
  await client.start();
  try {
    const session = await client.createSession({
      model: 'claude-sonnet-4.5',
      provider: { type: 'openai', baseUrl, apiKey: 'none' },
      streaming: true,
      workingDirectory: folder,
      enableFileHooks: true,
      enableConfigDiscovery: true,
      onPermissionRequest: approveAll,
      mcpServers,
    });
    await session.sendAndWait({ prompt }, 120_000);
  } finally {
    await client.stop();
  }
}
