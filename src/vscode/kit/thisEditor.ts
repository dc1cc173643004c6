/** What models of pages need to know of VS Code. */
import * as vscode from 'vscode';
import { defaultMaxIterations } from '../../core/rfc/review.ts';
import { ids } from '../../ui/kit/ids.ts';
import type { Program } from '../../ui/kit/program.ts';

export const thisEditor: Program = {
  get language() {
    return vscode.env.language;
  },
  texts: vscode.l10n.bundle,
  get remoteName() {
    return vscode.env.remoteName;
  },
  get isTrusted() {
    return vscode.workspace.isTrusted;
  },
  get reviewsAtMost() {
    const settings = vscode.workspace.getConfiguration();
    const wanted = settings.get<number>(ids.settings.reviewerMaxIterations, defaultMaxIterations);
    return Math.min(20, Math.max(1, Math.trunc(wanted)));
  },
};
