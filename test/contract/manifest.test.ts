import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { commandTable, ids } from '../../src/ui/kit/ids.ts';
import { commandTitles, manifestCommands, paletteItems } from '../../scripts/generate/commands.ts';
import { withHostTables } from '../../scripts/generate/hostsPage.ts';
import { policyPage } from '../../scripts/generate/policyPage.ts';
import { languageModelTools, toolsPage } from '../../scripts/generate/toolReference.ts';

const root = path.join(import.meta.dirname, '..', '..');

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Manifest {
  readonly enabledApiProposals?: unknown;
  readonly engines: { readonly vscode: string };
  readonly contributes: {
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string }[] };
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly languageModelTools: readonly { readonly name: string }[];
    readonly chatInstructions: readonly { readonly path: string }[];
    readonly chatSkills: readonly { readonly path: string }[];
    readonly viewsWelcome: readonly { readonly contents: string; readonly when: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly id: string;
        readonly media: { readonly svg: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
    readonly submenus: readonly { readonly id: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly keybindings: readonly {
      readonly command: string;
      readonly key: string;
      readonly mac: string;
      readonly when?: string;
    }[];
  };
}

async function text(file: string): Promise<string> {
  return readFile(path.join(root, file), 'utf8');
}

const manifestText = await text('package.json');
const manifest = JSON.parse(manifestText) as Manifest;

describe('the manifest', () => {
  it('contributes exactly the IDs that the code uses', () => {
    const { contributes } = manifest;
    assert.deepEqual(
      contributes.viewsContainers.activitybar.map(({ id }) => id),
      [ids.container],
    );
    assert.deepEqual(
      (contributes.views[ids.container] ?? []).map(({ id }) => id).sort(),
      Object.values(ids.views).sort(),
    );
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), Object.values(ids.commands).sort());
    assert.deepEqual(Object.keys(contributes.configuration.properties).sort(), Object.values(ids.settings).sort());
    assert.deepEqual(
      contributes.mcpServerDefinitionProviders.map(({ id }) => id),
      [ids.mcpServers],
    );
  });

  it('has menus only for commands and submenus that it contributes', () => {
    const { commands, submenus, menus } = manifest.contributes;
    const known = new Set([...commands.map(({ command }) => command), ...submenus.map(({ id }) => id)]);
    for (const [menu, items] of Object.entries(menus))
      for (const { command, submenu } of items)
        assert.ok(known.has(command ?? submenu ?? ''), `${command ?? submenu ?? ''} in ${menu}`);
    for (const { id } of submenus) assert.ok((menus[id] ?? []).length > 0, id);
  });

  it('shows at most four icons at the title of the list, and no verb of a team without a team', () => {
    const { menus } = manifest.contributes;
    const title = (menus['view/title'] ?? []).filter(({ when }) => when?.includes('view == holdpoint.waiting'));
    // Items at one place exclude each other.
    const icons = new Set(title.flatMap(({ group }) => (group?.startsWith('navigation') ? group : [])));
    assert.ok(icons.size <= 4, [...icons].join());
    for (const { when, command, submenu } of title) assert.match(when ?? '', /state == ready/, command ?? submenu);
    const inTitle = JSON.stringify(title.filter(({ submenu }) => submenu !== 'holdpoint.team'));
    assert.doesNotMatch(inTitle, /holdpoint\.team/);
    assert.match(title.find(({ submenu }) => submenu === 'holdpoint.team')?.when ?? '', /&& holdpoint\.team$/);
  });

  it('has at most 14 commands in the palette; every other one is in a menu or on a page', () => {
    const { commands, menus } = manifest.contributes;
    const { commandPalette = [], ...others } = menus;
    const hidden = new Set(commandPalette.flatMap(({ command = '', when }) => (when === 'false' ? command : [])));
    assert.ok(commands.length - hidden.size <= 14);
    const listed = new Set(Object.values(others).flatMap((items) => items.map(({ command }) => command)));
    const elsewhere = [ids.commands.openEvent, ids.commands.trySample];
    assert.deepEqual([...hidden].filter((id) => !listed.has(id)).sort(), [...elsewhere].sort());
  });

  it('has the commands in the palette that pages name with "Holdpoint:"', async () => {
    const inPalette = Object.values(commandTable).flatMap((one) => ('palette' in one ? one.title : []));
    const pages = (await readdir(path.join(root, 'docs')))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`);
    for (const page of ['README.md', 'SECURITY.md', ...pages])
      for (const [, title = ''] of (await text(page)).matchAll(/[“*"]Holdpoint: ([^”*"]+)[”*"]/g))
        assert.ok(inPalette.includes(title), `${page}: ${title}`);
  });

  it('has the commands of the table: run `npm run generate` when this fails', async () => {
    const { commands, menus } = manifest.contributes;
    assert.deepEqual(commands, manifestCommands());
    assert.deepEqual(menus['commandPalette'], paletteItems());
    const texts = JSON.parse(await text('package.nls.json')) as Record<string, string>;
    assert.deepEqual(texts, commandTitles(texts));
  });

  it('offers "Hold This File…" always, and "Why Is This Held?" while something is held, wherever files are listed', () => {
    for (const menu of ['explorer/context', 'editor/title', 'editor/title/context', 'scm/resourceState/context']) {
      const [why, hold] = manifest.contributes.menus[menu] ?? [];
      assert.deepEqual([why?.command, hold?.command], [ids.commands.whyHeld, ids.commands.holdFile], menu);
      assert.match(why?.when ?? '', /holdpoint\.holding/);
    }
  });

  it('has key chords that are free in VS Code on Windows, macOS and Linux, each with a condition', async () => {
    for (const system of ['windows', 'macos', 'linux'] as const) {
      const taken = (await text(`test/fixtures/keys/${system}.txt`))
        .split('\n')
        .filter((line) => !line.startsWith('#'));
      assert.ok(taken.length > 300, system);
      for (const { key, mac, when } of manifest.contributes.keybindings) {
        const chord = system === 'macos' ? mac : key;
        const [first = '', second] = chord.split(' ');
        assert.ok(second, `${chord} is a chord`);
        assert.ok(!taken.includes(chord), `${chord} is taken on ${system}`);
        assert.match(when ?? '', /holdpoint\.state == ready/);
        // On macOS, the first key clears terminals and the debug console.
        if (taken.includes(first) && system === 'macos')
          for (const part of ['terminalFocus', "focusedView == 'workbench.panel.repl.view'"])
            assert.ok(when?.includes(`!(isMac && ${part})`), part);
      }
    }
  });

  it('has the catalog’s language-model tools: run `npm run generate` when this fails', () => {
    assert.deepEqual(manifest.contributes.languageModelTools, JSON.parse(JSON.stringify(languageModelTools())));
  });

  it('gives each tool a name that hosts accept and a globally unique reference name', () => {
    for (const { name } of manifest.contributes.languageModelTools) assert.match(name, /^holdpoint_[a-z]+(_[a-z]+)+$/);
  });

  it('names exactly the texts that it translates', async () => {
    const strings = JSON.parse(await text('package.nls.json')) as Record<string, string>;
    const named = new Set([...manifestText.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key));
    assert.deepEqual([...named].sort(), Object.keys(strings).sort());
  });

  it('titles commands in Title Case', async () => {
    const strings = JSON.parse(await text('package.nls.json')) as Record<string, string>;
    const small = new Set(['a', 'an', 'the', 'of', 'in', 'to', 'as', 'with', 'and', 'or', 'for', 'on', 'from']);
    const titles = Object.entries(strings).flatMap(([key, title]) => (key.startsWith('command.') ? [title] : []));
    const wrong = titles.filter((title) =>
      title.split(' ').some((word, index) => (index === 0 || !small.has(word)) && !/^[A-Z]/.test(word)),
    );
    assert.deepEqual(wrong, []);
  });

  it('offers a sample question and the setup page in an empty workspace, and takes four steps to the first answer', async () => {
    const { viewsWelcome, walkthroughs } = manifest.contributes;
    const first = viewsWelcome.filter(({ when }) => when.includes('!holdpoint.connected'));
    assert.deepEqual(
      first.map(({ contents }) => contents),
      ['%welcome.first%'],
    );
    const [walkthrough] = walkthroughs;
    assert.deepEqual(
      walkthrough?.steps.map(({ id, completionEvents }) => [id, ...completionEvents]),
      [
        ['setup', `onContext:${ids.context.proven}`],
        ['ask', `onContext:${ids.context.connected}`],
        ['answer', `onContext:${ids.context.answered}`],
        ['done', `onContext:${ids.context.answered}`],
      ],
    );
    // VS Code's content policy drops inline styles, which leaves black boxes.
    for (const { media } of walkthrough.steps) assert.doesNotMatch(await text(media.svg), /style=|<style/, media.svg);
  });

  it('needs no proposed API: stock VS Code rejects what this test host accepts', () => {
    assert.equal(manifest.enabledApiProposals, undefined);
    // Contribution points that require a proposed API.
    for (const gated of ['languageModelToolSets', 'chatSessions', 'chatContext', 'contribEditorContentMenu'])
      assert.ok(!manifestText.includes(`"${gated}"`), gated);
    // From VS Code’s own handlers: none of these checks for a proposed API.
    const open = [
      ...[
        'viewsContainers',
        'views',
        'viewsWelcome',
        'commands',
        'submenus',
        'menus',
        'configuration',
        'walkthroughs',
        'keybindings',
      ],
      ...['languageModelTools', 'mcpServerDefinitionProviders', 'chatInstructions', 'chatSkills', 'customEditors'],
    ];
    assert.deepEqual(
      Object.keys(manifest.contributes).filter((point) => !open.includes(point)),
      [],
    );
  });

  it('gives agents a skill and an instruction that name only existing tools', async () => {
    const { chatInstructions, chatSkills } = manifest.contributes;
    const texts = await Promise.all([...chatInstructions, ...chatSkills].map(({ path: file }) => text(file)));
    assert.equal(texts.length, 2);
    const names = new Set(manifest.contributes.languageModelTools.map(({ name }) => name));
    for (const said of texts) {
      for (const [name] of said.matchAll(/holdpoint_[a-z]+_[a-z]+/g)) assert.ok(names.has(name), name);
      assert.match(said, /^---\nname: \w+\ndescription: .{20,1000}\n/);
      assert.match(said, /holdpoint_get_briefing/);
    }
    // A skill is identified by its folder’s name.
    assert.match(chatSkills[0]?.path ?? '', /\/holdpoint\/SKILL\.md$/);
    assert.match(texts[1] ?? '', /\nname: holdpoint\n/);
    // An instruction is sent with every request, so it stays short.
    assert.ok((texts[0] ?? '').length < 1_200);
  });

  it('requires a VS Code version that has every API in the typings', async () => {
    const types = JSON.parse(await text('node_modules/@types/vscode/package.json')) as { version: string };
    const minor = (version: string) => Number(/1\.(\d+)/.exec(version)?.[1]);
    assert.ok(
      minor(types.version) <= minor(manifest.engines.vscode),
      `${types.version} against ${manifest.engines.vscode}`,
    );
  });
});

describe('docs/policy.md', () => {
  it('has the table of the policy: run `npm run generate` when this fails', async () => {
    const style = await resolveConfig(path.join(root, 'docs', 'policy.md'));
    const page = await text('docs/policy.md');
    assert.equal(page, await format(policyPage(page), { ...style, parser: 'markdown' }));
  });

  it('lists each setting', async () => {
    const page = await text('docs/policy.md');
    const listed = [...page.matchAll(/^\| `(holdpoint\.[\w.]+)` /gm)].map(([, name]) => name);
    assert.deepEqual(listed.toSorted(), Object.keys(manifest.contributes.configuration.properties).toSorted());
  });
});

describe('docs/tools.md', () => {
  it('matches the catalog: run `npm run generate` when this fails', async () => {
    const style = await resolveConfig(path.join(root, 'docs', 'tools.md'));
    assert.equal(await text('docs/tools.md'), await format(toolsPage(), { ...style, parser: 'markdown' }));
  });
});

describe('the tables of hosts', () => {
  for (const page of ['README.md', 'docs/hosts.md'])
    it(`in ${page} match the hosts: run \`npm run generate\` when this fails`, async () => {
      const style = await resolveConfig(path.join(root, page));
      const written = await text(page);
      assert.match(written, /<!-- hosts: \w+ -->\n\n\|[^]*Claude Code/);
      assert.equal(written, await format(withHostTables(written), { ...style, parser: 'markdown' }));
    });
});

describe('the bundles', () => {
  interface Output {
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly imports: readonly { readonly path: string }[];
  }

  /** The folder of each program’s head, and its entry point. */
  const heads = {
    cli: ['cli', 'src/cli/main.ts'],
    mcp: ['mcp', 'src/mcp/main.ts'],
    hook: ['hook', 'src/hook/main.ts'],
    thread: ['vscode', 'src/vscode/kit/thread.ts'],
  } as const;
  /** Shows the editor's forms in browsers, where passkeys sign. */
  const forms = 'serve' as const;

  /** Every module of a program: those in its own file, and those in files that it can load. */
  async function inputsOf(program: keyof typeof heads | typeof forms | 'extension'): Promise<string[]> {
    const all = JSON.parse(await text('build/metafile.json')) as Record<string, Output>;
    const files = new Set([`dist/${program}.cjs`]);
    for (const file of files) {
      const output = all[file];
      assert.ok(output, `the metafile describes ${file}`);
      for (const { path: loaded } of output.imports) files.add(loaded);
    }
    // A program loads files by import; it names other files of ours only to start them as programs.
    for (const file of files)
      for (const [, name = ''] of (await text(file)).matchAll(/["'`]\.?\/?([\w-]+)\.cjs["'`]/g))
        assert.ok(files.has(`dist/${name}.cjs`) || name in heads || name === forms, `${file} names ${name}`);
    return [...files].flatMap((file) => Object.keys(all[file]?.inputs ?? {}));
  }

  it('contain the human side in the extension and the server of forms only', async () => {
    const humanSide = (await readdir(path.join(root, 'src', 'app'), { recursive: true }))
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => /^(decision\/|recovery\/|\w+\/decisions\.ts$|keys\/|audit\/seal\.ts$)/.test(name))
      .map((name) => `src/app/${name}`);
    const extension = await inputsOf('extension');
    // The server of forms has no key: what it shares with the editor asks for a passkey's signature.
    const served = await inputsOf(forms);
    for (const file of humanSide)
      assert.ok(extension.includes(file) || served.includes(file), `${file} is missing from the bundles`);
    assert.deepEqual(
      served.filter((file) => file.startsWith('src/vscode/')),
      [],
    );
    for (const [program, [head, entry]] of Object.entries(heads)) {
      const inputs = await inputsOf(program as keyof typeof heads);
      assert.ok(inputs.includes(entry));
      for (const file of humanSide) assert.ok(!inputs.includes(file), `${file} is in ${program}`);
      // No program contains another head.
      for (const other of ['cli', 'mcp', 'hook', 'ui', 'vscode'].filter((each) => each !== head))
        assert.ok(!inputs.some((file) => file.startsWith(`src/${other}/`)), `${other} is in ${program}`);
      // Threads of the editor contain no other module of src/vscode.
      if (head === 'vscode')
        assert.deepEqual(
          inputs.filter((file) => file.startsWith('src/vscode/')),
          [entry],
        );
    }
  });
});
