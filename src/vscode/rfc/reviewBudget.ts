/**
 * The maximum number of reviewer calls for an RFC, over all revisions. A mere setting, because a model's answers decide
 * nothing.
 */
import * as vscode from 'vscode';
import { defaultMaxIterations } from '../../core/rfc/review.ts';
import { ids } from '../kit/ids.ts';

export function maxIterations(): number {
  const wanted = vscode.workspace
    .getConfiguration()
    .get<number>(ids.settings.reviewerMaxIterations, defaultMaxIterations);
  return Math.min(20, Math.max(1, Math.trunc(wanted)));
}
