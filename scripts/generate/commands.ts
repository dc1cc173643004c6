/** What the manifest and its texts have of the commands. */
import { commandTable } from '../../src/ui/kit/ids.ts';

const entries = Object.entries<{
  readonly id: string;
  readonly title: string;
  readonly icon?: string;
  readonly palette?: string;
}>(commandTable);
const key = (name: string) => `command.${name}`;

export const manifestCommands = (): object[] =>
  entries.map(([name, { id, icon }]) => ({
    ...{ command: id, title: `%${key(name)}%`, category: 'Holdpoint' },
    ...(icon === undefined ? {} : { icon: `$(${icon})` }),
  }));

/** A command that is not listed is always shown. */
export const paletteItems = (): object[] =>
  entries.flatMap(([, { id, palette = 'false' }]) => (palette === 'true' ? [] : { command: id, when: palette }));

export const commandTitles = (texts: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(texts).filter(([name]) => !name.startsWith('command.'))),
  ...Object.fromEntries(entries.map(([name, { title }]) => [key(name), title])),
});
