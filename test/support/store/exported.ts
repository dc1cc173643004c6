import { exportedPieces, type ExportFormat } from '../../../src/app/transfer/exporting.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';

/** An export as one value. */
export async function exported(workspace: Workspace, format: ExportFormat): Promise<Buffer> {
  const pieces = await exportedPieces(workspace, format);
  return Buffer.concat([...pieces].map((piece) => Buffer.from(piece)));
}
