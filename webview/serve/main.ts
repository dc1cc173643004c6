/** Starts before the surface's own script, and stands for the editor. */
import { setClock } from '../shared/time.ts';
import '../shared/base.css';
import '../shared/codicons.css';
import { connect } from './connection.ts';
import type { Connection } from './connection.ts';
import { createApi } from './editorApi.ts';
import { readFacts } from './facts.ts';
import { showLogin } from './login.ts';
import './serve.css';
import { showPasskeyPage } from './passkeyPage.ts';
import { createShell } from './shell.ts';
import './theme.css';
import { followTheme } from './theme.ts';

const facts = readFacts();
/** What the surface sent before there was a connection. */
const early: unknown[] = [];
let connection: Connection | undefined;
let shell: ReturnType<typeof createShell> | undefined;

Object.assign(globalThis, {
  acquireVsCodeApi: () =>
    createApi({
      facts,
      post: (message) => {
        if (connection) connection.post(message);
        else early.push(message);
      },
      say: (what) => shell?.say(what),
    }),
});
followTheme();
document.body.dataset['page'] = facts.path === '/' ? 'inbox' : 'item';
void start();

async function start(): Promise<void> {
  if (facts.kind === 'login') {
    document.body.dataset['page'] = 'login';
    await showLogin(document.body);
    return;
  }
  if (facts.kind === 'passkey') {
    document.body.dataset['page'] = 'login';
    showPasskeyPage(document.body);
    return;
  }
  const drawn = (shell = createShell(facts));
  connection = connect(facts.path, {
    surface: (snapshot) => {
      window.dispatchEvent(new MessageEvent('message', { data: snapshot, origin: window.origin }));
    },
    inbox: (snapshot) => {
      setClock(snapshot.now);
      drawn.inbox(snapshot);
    },
    go: (path) => {
      if (path.startsWith('/') && !path.startsWith('//')) location.assign(path);
    },
    at: (path) => {
      history.replaceState(null, '', path);
    },
    trouble: drawn.trouble,
  });
  for (const message of early.splice(0)) connection.post(message);
}
