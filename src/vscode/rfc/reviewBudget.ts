/** How often one RFC's reviewer may be called, over all its revisions. A setting: what a model says decides nothing. */
import * as vscode from 'vscode';
import { defaultMaxIterations } from '../../core/rfc/review.ts';
import { ids } from '../kit/ids.ts';

export function maxIterations(): number {
  const wanted = vscode.workspace
    .getConfiguration()
    .get<number>(ids.settings.reviewerMaxIterations, defaultMaxIterations);
  return Math.min(20, Math.max(1, Math.trunc(wanted)));
}
