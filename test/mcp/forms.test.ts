import assert from 'node:assert/strict';
import { keepSecret, newSecret, servePort } from '../../src/app/serving/editorLink.ts';
import { formLink } from '../../src/mcp/server.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';

describe('the link to a form', () => {
  after(removeSandboxes);

  it('opens the editor where one is open, else the page of the server, if one runs', () => {
    const sandbox = makeSandbox();
    const inTerminal = sandbox.open({ env: {} });
    const inEditor = sandbox.open({ env: { TERM_PROGRAM: 'vscode' } });
    assert.equal(formLink(inTerminal, 'Q-1'), 'vscode://holdpoint.holdpoint/open/Q-1');
    keepSecret(inTerminal, servePort, newSecret());
    assert.equal(formLink(inTerminal, 'Q-1'), `http://localhost:${String(servePort)}/open/Q-1`);
    assert.equal(formLink(inEditor, 'Q-1'), 'vscode://holdpoint.holdpoint/open/Q-1');
  });
});
