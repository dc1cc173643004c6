/** A row of waiting items, which the editor's tree and the list in a browser show. */
export interface ListRow {
  label: string;
  id?: string;
  description?: string;
  tooltip?: string | undefined;
  icon?: RowIcon;
  /** Chooses the entries of the row's menu. */
  contextValue?: string;
  /** What a screen reader says in place of the label. */
  spoken?: string;
  /** How rows below it are shown at first. */
  children?: 'expanded' | 'collapsed';
  command?: { readonly command: string; readonly title: string; readonly arguments: unknown[] };
}

/** Names of VS Code: of a product icon, and of a colour of themes. */
export interface RowIcon {
  readonly id: string;
  readonly color?: 'errorForeground' | 'list.warningForeground' | undefined;
}
