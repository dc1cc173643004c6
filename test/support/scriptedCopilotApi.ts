/**
 * Stands in for the Copilot service of VS Code's Agent Host: it lists one model, whose answers come from a scripted
 * model. Only a VS Code that was started with `--enable-smoke-test-driver` can be given it, and a token to go with it.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedCopilotApi {
  /** For VS Code: leads the Agent Host and its SDK here. */
  readonly env: Readonly<Record<string, string>>;
  /** `GET /models` and so on. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const model = {
  ...{ id: 'scripted-1', name: 'Scripted One', object: 'model', vendor: 'Holdpoint', version: 'scripted-1' },
  ...{ preview: false, is_chat_default: true, is_chat_fallback: true, model_picker_enabled: true },
  model_picker_category: 'versatile',
  policy: { state: 'enabled', terms: '' },
  billing: { is_premium: false, multiplier: 0 },
  supported_endpoints: ['/chat/completions'],
  capabilities: {
    ...{ type: 'chat', family: 'gpt-4.1', tokenizer: 'o200k_base', object: 'model_capabilities' },
    limits: { max_context_window_tokens: 128_000, max_prompt_tokens: 100_000, max_output_tokens: 16_000 },
    supports: { streaming: true, tool_calls: true, parallel_tool_calls: true },
  },
};

const user = {
  ...{ login: 'ada', copilot_plan: 'individual_pro', access_type_sku: 'plus_monthly_subscriber_quota' },
  ...{ chat_enabled: true, cli_enabled: true, is_mcp_enabled: true, organization_list: [], assigned_date: null },
  analytics_tracking_id: 'none',
};

/** @param completions the address of a scripted model */
export async function startScriptedCopilotApi(completions: string): Promise<ScriptedCopilotApi> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void answer().catch(() => response.destroy());
    async function answer(): Promise<void> {
      const { method = '', url = '' } = request;
      asked.push(`${method} ${url}`);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (method === 'POST' && url.endsWith('/chat/completions')) {
        const body = Buffer.concat(chunks);
        const answered = await fetch(completions, { method, headers: { 'content-type': 'application/json' }, body });
        const type = answered.headers.get('content-type') ?? 'text/event-stream';
        response.writeHead(answered.status, { 'content-type': type });
        response.end(Buffer.from(await answered.arrayBuffer()));
        return;
      }
      const found = documents()[`${method} ${url.split('?')[0] ?? ''}`];
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? {}));
    }
  });
  const address = () => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const documents = (): Readonly<Record<string, object>> => ({
    'GET /models': { object: 'list', data: [model] },
    'GET /copilot_internal/user': { ...user, endpoints: { api: address() } },
    // The model "Auto" asks which one it is.
    'POST /models/session': {
      ...{ available_models: [model.id], selected_model: model.id, session_token: 'scripted', discounted_costs: {} },
      expires_at: Math.floor(Date.now() / 1000) + 3600,
    },
    'GET /user': { login: user.login, id: 1 },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    env: {
      VSCODE_AGENT_HOST_CAPI_URL_OVERRIDE: address(),
      COPILOT_DEBUG_GITHUB_API_URL: address(),
      COPILOT_API_URL: address(),
    },
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
