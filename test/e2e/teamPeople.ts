/** The people of the team's demo: at real editors, or played by programs that use what the editor uses. */
import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { databaseUrl } from '../../src/store/shared/settings.ts';
import { answerAsHuman, questionShown, selectInTree, showAnswerView } from '../support/answerForm.ts';
import type { Machine } from '../support/clones.ts';
import { openEditor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import { environment } from '../support/mcp.ts';
import type { SystemUser } from '../support/secondUser.ts';
import { join, publicKeyIn, share, trustKey, type Invitation } from '../support/teamForms.ts';
import type { Order, Reply } from '../support/teamPlace.ts';

export interface Person {
  /** Where this machine's agents work. */
  readonly shell: {
    readonly workspace: string;
    readonly env: NodeJS.ProcessEnv;
    readonly user: SystemUser | undefined;
  };
  /** @returns the fingerprint of the root key, in hexadecimal digits */
  share(name: string): Promise<string>;
  join(invitation: Omit<Invitation, 'url'>): Promise<void>;
  /** A line for teammates. */
  publicKey(): Promise<string>;
  trust(line: string, name: string): Promise<void>;
  /** Resolves when this question is shown; with its id. */
  sees(text: string): Promise<string>;
  answer(id: string, text: string): Promise<void>;
  /** Saves a picture of the screen; null without one. */
  picture(name: string): Promise<string | null>;
  close(): Promise<void>;
}

export interface PersonOptions {
  readonly name: string;
  readonly machine: Machine;
  readonly user: SystemUser | undefined;
  /** Of the person's own login, and of their agents'. */
  readonly urls: { readonly own: string; readonly agents: string };
}

const tidy = { 'editor.minimap.enabled': false, 'workbench.secondarySideBar.defaultVisibility': 'hidden' };

export async function personAtEditor({ name, machine, user, urls }: PersonOptions): Promise<Person> {
  const env = { [databaseUrl]: urls.agents };
  const editor = await openEditor({ workspace: machine.clone, env, user, person: name, probe: false, settings: tidy });
  const { window } = editor;
  const shell = { workspace: machine.clone, env: editor.env, user };
  await showAnswerView(window);
  return {
    shell,
    share: (called) => share(window, shell, { called, url: urls.own }),
    join: (invitation) => join(window, shell, { ...invitation, url: urls.own }),
    publicKey: () => publicKeyIn(window),
    trust: (line, called) => trustKey(window, line, called),
    async sees(text) {
      await window.command('View: Close All Editors');
      await selectInTree(window, text);
      const form = await questionShown(window);
      await form.locator('.question-text', { hasText: text }).waitFor();
      const foot = form.locator('main[data-ready="true"]').getByText(/^Q-\d+$/);
      return (await foot.first().innerText()).trim();
    },
    async answer(_id, text) {
      await answerAsHuman(await questionShown(window), { text });
    },
    picture: (called) => window.screenshot(called),
    close: () => editor.close(),
  };
}

export async function personAsProgram({ name, machine, user, urls }: PersonOptions): Promise<Person> {
  const { clone, home } = machine;
  const env = environment({ folder: clone, home }, { [databaseUrl]: urls.agents });
  const shell = { workspace: clone, env, user };
  const script = path.join(root, 'test', 'support', 'teamPerson.ts');
  const child = fork(script, [clone, home, name], {
    ...{ env: { ...env, DEMO_HUMAN_URL: urls.own }, stdio: 'inherit', cwd: clone },
    ...user,
  });
  await reply(child);
  const ask = (order: Order): Promise<string> => {
    child.send(order);
    return reply(child);
  };
  return {
    shell,
    share: (called) => ask({ act: 'share', text: called, agents: new URL(urls.agents).username }),
    async join({ workspace, fingerprint }) {
      const joined = await holdpoint(shell, 'team', 'join', workspace, '--fingerprint', fingerprint);
      if (joined.code !== 0) throw new Error(joined.err);
    },
    publicKey: () => ask({ act: 'key', text: '' }),
    async trust(line) {
      await ask({ act: 'admit', text: line });
    },
    sees: (text) => ask({ act: 'waitFor', text }),
    async answer(id, text) {
      await ask({ act: 'answer', text, id });
    },
    picture: () => Promise.resolve(null),
    close: () => {
      child.kill();
      return Promise.resolve();
    },
  };
}

function reply(person: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const ended = () => {
      reject(new Error('the program of a person ended'));
    };
    person.once('exit', ended);
    person.once('message', ({ text, error }: Reply) => {
      person.off('exit', ended);
      if (error === null) resolve(text);
      else reject(new Error(error));
    });
  });
}
