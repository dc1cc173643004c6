/**
 * The folder that `npm pack` packs, which is also a plugin of Claude Code, an Agent Plugin 1.0 and a marketplace with it:
 * the programs, the skill, and what set-up would write for these hosts, with the plugin's folder instead of a launcher.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HookKind, HostFile, HostName, SetupTarget } from '../../src/hosts/host.ts';
import { hosts } from '../../src/hosts/hosts.ts';
import { cleared } from '../../src/hosts/setup/launcher.ts';
import { packageReadme, writePackageReadme } from './pack.ts';

const shipped = [
  'dist',
  'docs',
  'media/prompts',
  'media/sql',
  'skills/holdpoint',
  'schemas',
  'LICENSE',
  'CHANGELOG.md',
];
/** Of the editor, and of those who change Holdpoint. */
const left = /^dist\/(?:compiled|extension\.mjs|webview\/diagrams\.js$)|^docs\/dev/;
const broken =
  'Holdpoint cannot tell whether this may continue, so it is denied. Its plugin needs Node 22.3 or later on the PATH.';

/** @param variable the host's name for the plugin's folder */
function pluginTarget(name: HostName, variable: string): SetupTarget {
  const { agentType } = hosts[name];
  return {
    platform: 'linux',
    hook: (kind) => hookLine(name, variable, kind),
    mcp: { command: 'node', args: [`\${${variable}}/dist/mcp.cjs`, '--agent-type', agentType] },
    plugin: () => '',
  };
}

/** Every failure of a denying hook denies, as in the commands that set-up writes. */
function hookLine(host: HostName, variable: string, { denying, shell }: HookKind): string {
  if (shell === 'powershell') {
    const call = `node "$env:${variable}/dist/hook.cjs" ${host} --workspace "$PWD"`;
    return denying ? `${call}; if ($LASTEXITCODE -ne 0) { exit 2 }` : `${call}; exit $LASTEXITCODE`;
  }
  const call = `unset ${cleared.join(' ')}; node "\${${variable}}/dist/hook.cjs" ${host} --workspace "\${CLAUDE_PROJECT_DIR:-$PWD}"`;
  return denying ? `${call} || { [ $? -eq 2 ] || echo '${broken}' >&2; exit 2; }` : call;
}

function part<Key extends string>(host: HostName, variable: string, key: Key): Extract<HostFile, Record<Key, unknown>> {
  const files = hosts[host].setup.files(pluginTarget(host, variable));
  const found = files.find((file): file is Extract<HostFile, Record<Key, unknown>> => key in file);
  if (!found) throw new Error(`${host} has no file with "${key}"`);
  return found;
}

/** Packs nothing itself. @param root must be built */
export async function writeNpmPackage(root: string, folder: string): Promise<void> {
  const text = await readFile(path.join(root, 'package.json'), 'utf8');
  const { name, version, description, license, bin, engines, author } = JSON.parse(text) as Record<string, unknown>;
  await rm(folder, { recursive: true, force: true });
  for (const file of shipped)
    await cp(path.join(root, file), path.join(folder, file), {
      recursive: true,
      filter: (from) => !left.test(path.relative(root, from).split(path.sep).join('/')),
    });
  await writePackageReadme(root);
  await cp(path.join(root, packageReadme), path.join(folder, 'README.md'));
  const node = (engines as { node?: string } | undefined)?.node ?? '>=22';
  const about = { name, version, description, license, author };
  const groups = Object.entries(part('claude-code', 'CLAUDE_PLUGIN_ROOT', 'hooks').hooks);
  const server = (host: HostName, variable: string) => ({
    mcpServers: { holdpoint: part(host, variable, 'value').value },
  });
  const schema = (kind: string) => ({ $schema: `https://agent-plugins.org/schemas/1.0.0/${kind}.schema.json` });
  const files: Readonly<Record<string, object | string>> = {
    'package.json': { ...about, type: 'module', bin, engines: { node } },
    '.claude-plugin/marketplace.json': {
      name,
      owner: { name: 'Holdpoint' },
      plugins: [{ name, source: './', description }],
    },
    '.claude-plugin/plugin.json': { name, version, description, ...server('claude-code', 'CLAUDE_PLUGIN_ROOT') },
    'hooks/hooks.json': { hooks: Object.fromEntries(groups.map(([event, group]) => [event, [group].flat()])) },
    'plugin.json': { ...schema('plugin'), name, version, description },
    'mcp.json': {
      ...schema('mcp'),
      mcpServers: { holdpoint: { type: 'stdio', command: 'node', args: ['${PLUGIN_ROOT}/dist/mcp.cjs'] } },
    },
    'com.github.copilot/hooks/hooks.json': part('copilot-cli', 'COPILOT_PLUGIN_ROOT', 'whole').whole,
  };
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
}
