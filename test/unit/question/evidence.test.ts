/** Long texts of a question that open as documents: the kind of each, by its content. */
import assert from 'node:assert/strict';
import { evidenceKind, type EvidenceKind } from '../../../src/core/question/evidence.ts';

describe('the context of a question as a document', () => {
  const texts: readonly (readonly [EvidenceKind, string, string])[] = [
    ['diff', 'what git prints', 'diff --git a/x.ts b/x.ts\nindex 1..2\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b'],
    ['diff', 'a diff after some words', 'My change:\n\n--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,3 @@ x\n a\n+b'],
    ['txt', 'signs without a hunk', '--- old\n+++ new\nand more'],
    ['log', 'times', '2026-03-02T09:00:00Z start\n2026-03-02T09:00:01Z stop\n    at run (x.ts:3)'],
    ['log', 'levels', '[ERROR] one\n[warn] two\nINFO three'],
    ['txt', 'one time in a text', 'It failed:\n09:00:01 stop\nand nothing else was said.'],
    ['md', 'a plan', '# Plan\n\n1. Export\n2. Delete'],
    ['md', 'check boxes', 'To do:\n- [x] Export\n- [ ] Delete'],
    ['md', 'a table', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['txt', 'plain text, a shell comment too', '#!/bin/sh\necho 1 # no heading'],
    ['txt', 'nothing', ''],
  ];
  for (const [kind, what, text] of texts)
    it(`${what}: ${kind}`, () => {
      assert.equal(evidenceKind(text, 'context'), kind);
    });

  it('background is Markdown, and a payload JSON, whatever they look like', () => {
    assert.equal(evidenceKind('diff --git a/x b/x', 'background'), 'md');
    assert.equal(evidenceKind('# Plan', 'payload'), 'json');
  });

  it('looks at the beginning of a very long text only', () => {
    const long = `${'words\n'.repeat(200_000)}diff --git a/x b/x`;
    assert.equal(evidenceKind(long, 'context'), 'txt');
  });
});
