import assert from 'node:assert/strict';
import { answered, denied } from './apiTokens.ts';
import { playMainJob, type MainJob } from './mainJob.ts';

describe('The main job, in a real VS Code with the real Copilot agent mode', () => {
  let job: MainJob;
  before(async () => {
    job = await playMainJob({ say: () => undefined, screenshots: false });
  });

  it('says no at the gate while the question waits', () => {
    assert.equal(job.gateBefore.code, 2);
    assert.match(job.gateBefore.err, denied);
  });

  it("brings the human's answer back in the same tool call", () => {
    assert.equal(job.toolResults.length, 3);
    assert.match(job.toolResults[1] ?? '', answered);
  });

  it('lets the agent finish, without another call to wait', () => {
    assert.equal(job.turns, 4);
    assert.match(job.toolResults[2] ?? '', /API tokens \(t-1\) is done/);
    assert.match(job.lastWords, /API tokens are done/);
  });

  it('says yes at the gate afterwards', () => {
    assert.equal(job.gateAfter.code, 0);
    assert.match(job.gateAfter.out, /^Allowed/);
  });

  it('leaves no error in a webview', () => {
    assert.deepEqual(job.webviewErrors, []);
  });
});
