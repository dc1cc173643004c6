/** Rows of waiting items, as VS Code's trees take them. */
import * as vscode from 'vscode';
import type { ListRow, RowIcon } from '../../ui/kit/listRow.ts';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

export function treeItemOf({ label, children, icon, spoken, ...rest }: ListRow): vscode.TreeItem {
  const item = new vscode.TreeItem(
    label,
    children === undefined ? None : children === 'expanded' ? Expanded : Collapsed,
  );
  Object.assign(item, rest);
  if (icon) item.iconPath = themeIcon(icon);
  if (spoken !== undefined) item.accessibilityInformation = { label: spoken };
  return item;
}

export function themeIcon({ id, color }: RowIcon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}
