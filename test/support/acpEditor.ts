/** An editor of the Agent Client Protocol: the official SDK's client, which starts `holdpoint acp -- AGENT` and allows what it is asked. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import type {
  CreateElicitationRequest,
  PromptResponse,
  RequestPermissionRequest,
  SessionNotification,
  WriteTextFileRequest,
} from '@agentclientprotocol/sdk';
import { root } from './host.ts';

export interface AcpEditor {
  /** What the agent asked for, oldest first. */
  readonly permissions: readonly RequestPermissionRequest[];
  readonly elicitations: readonly CreateElicitationRequest[];
  readonly writes: readonly WriteTextFileRequest[];
  readonly updates: readonly SessionNotification[];
  /** All that the agent said in its name. */
  said(): string;
  /** Sends a prompt in a new session. @returns why the turn ended */
  prompt(text: string, mode?: string): Promise<string>;
  /** Another prompt in the session. */
  again(text: string): Promise<string>;
  close(): Promise<number | null>;
  readonly errors: () => string;
}

export interface AcpEditorOptions {
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  readonly agent: readonly string[];
  /** Clients that write files and run commands for their agents. */
  readonly capabilities?: object;
}

export async function openAcpEditor({ workspace, env, agent, capabilities }: AcpEditorOptions): Promise<AcpEditor> {
  const child = spawn(process.execPath, [path.join(root, 'dist', 'cli.cjs'), 'acp', '--', ...agent], {
    cwd: workspace,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const permissions: RequestPermissionRequest[] = [];
  const elicitations: CreateElicitationRequest[] = [];
  const writes: WriteTextFileRequest[] = [];
  const updates: SessionNotification[] = [];
  const app = client({ name: 'test-editor' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      permissions.push(params);
      const once = params.options.find(({ kind }) => kind === 'allow_once') ?? params.options[0];
      return { outcome: { outcome: 'selected' as const, optionId: once?.optionId ?? '' } };
    })
    .onRequest(methods.client.elicitation.create, ({ params }) => {
      elicitations.push(params);
      return { action: 'accept' as const, content: { question_0: 'JWT' } };
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      writes.push(params);
      return {};
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params);
    });
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  const connection = app.connect(stream);
  const agentSide = connection.agent;
  await agentSide.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: { elicitation: { form: {} }, ...capabilities },
    clientInfo: { name: 'test-editor', version: '1' },
  });
  let sessionId = '';
  const again = async (text: string): Promise<string> => {
    const prompt = [{ type: 'text' as const, text }];
    const ended: PromptResponse = await agentSide.request(methods.agent.session.prompt, { sessionId, prompt });
    return ended.stopReason;
  };
  return {
    permissions,
    elicitations,
    writes,
    updates,
    said: () =>
      updates
        .map(({ update }) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
        )
        .join(''),
    async prompt(text, mode) {
      const started = await agentSide.request(methods.agent.session.new, { cwd: workspace, mcpServers: [] });
      ({ sessionId } = started);
      if (mode !== undefined) await agentSide.request(methods.agent.session.setMode, { sessionId, modeId: mode });
      return again(text);
    },
    again,
    close() {
      child.stdin.end();
      return exited;
    },
    errors: () => errors,
  };
}
