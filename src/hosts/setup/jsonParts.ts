/** Parts of JSON files: hooks in the form that Claude Code and Codex share, and entries under a key of their own. */
import { isDeepStrictEqual } from 'node:util';
import type { JSONPath } from 'jsonc-parser';
import { isHookCommand } from './commandLine.ts';
import { appendValue, isEmptyObject, readObject, removeValue, setValue } from './jsonText.ts';
import type { JsonObject } from './jsonText.ts';
import { SetupError } from './names.ts';
import type { Part } from './part.ts';

type Frame = Omit<Part, 'state' | 'add' | 'strip'>;

/** Of one event. */
type Groups = JsonObject | readonly JsonObject[];

/**
 * `{"hooks": {"PreToolUse": [{"matcher": …, "hooks": [{"type": "command", "command": …}]}]}}`: one group per event.
 *
 * @param made further content of a file that setup creates
 */
export function hooksPart(frame: Frame, given: Readonly<Record<string, Groups>>, made?: JsonObject): Part {
  const { file } = frame;
  const groups = Object.entries(given).map(([event, list]) => [event, [list].flat()] as const);

  function lists(text: string): [event: string, list: readonly unknown[]][] {
    const { hooks } = readObject(text, file);
    if (hooks === undefined) return [];
    if (!isObject(hooks)) throw new SetupError(`${file}: "hooks" should be an object. Fix it, then set up again.`);
    return Object.entries(hooks).map(([event, list]) => {
      if (!Array.isArray(list))
        throw new SetupError(`${file}: "hooks.${event}" should be a list. Fix it, then set up again.`);
      return [event, list as readonly unknown[]];
    });
  }

  return {
    ...frame,
    state(text) {
      if (text === null) return 'missing';
      const ours = lists(text).map(([event, list]) => [event, list.filter(hasOurs)] as const);
      const found = ours.filter(([, list]) => list.length > 0);
      if (found.length === 0) return 'missing';
      return isDeepStrictEqual(new Map<string, unknown>(found), new Map<string, unknown>(groups)) ? 'ours' : 'edited';
    },
    add(text) {
      if (text !== null) lists(text);
      const all = groups.flatMap(([event, list]) => list.map((group) => [event, group] as const));
      return all.reduce(
        (before, [event, group]) => appendValue(before, ['hooks', event], group),
        text ?? (made ? `${JSON.stringify(made, null, 2)}\n` : ''),
      );
    },
    strip(text) {
      let left = text;
      for (const [event, list] of lists(text)) {
        const ours = list.flatMap((group, index) => (hasOurs(group) ? [index] : []));
        for (const index of ours.reverse()) left = withoutOurs(left, ['hooks', event, index], list[index]);
        if (ours.length > 0 && lists(left).some(([name, rest]) => name === event && rest.length === 0))
          left = removeValue(left, ['hooks', event]);
      }
      if (left !== text && lists(left).length === 0) left = removeValue(left, ['hooks']);
      return isEmptyObject(left) ? null : left;
    },
  };
}

/**
 * One value under a path of keys, such as an MCP server under its name; that name makes it ours.
 * @param made further content of a file that setup creates
 */
export function entryPart(frame: Frame, at: readonly string[], value: unknown, made?: JsonObject): Part {
  const { file } = frame;

  function found(text: string): unknown {
    return at.reduce<unknown>(
      (inner, key, depth) => {
        if (inner === undefined) return undefined;
        if (!isObject(inner))
          throw new SetupError(
            `${file}: "${at.slice(0, depth).join('.')}" should be an object. Fix it, then set up again.`,
          );
        return inner[key];
      },
      readObject(text, file),
    );
  }

  return {
    ...frame,
    at,
    state(text) {
      const there = text === null ? undefined : found(text);
      if (there === undefined) return 'missing';
      return isDeepStrictEqual(there, value) ? 'ours' : 'edited';
    },
    add(text) {
      if (text !== null) found(text);
      return setValue(text ?? (made ? `${JSON.stringify(made, null, 2)}\n` : null), [...at], value);
    },
    strip(text) {
      if (found(text) === undefined) return text;
      let left = removeValue(text, [...at]);
      // Also removes parents that are now empty.
      for (let depth = at.length - 1; depth > 0; depth--) {
        const outer = at
          .slice(0, depth)
          .reduce<unknown>((inner, key) => (inner as JsonObject)[key], readObject(left, file));
        if (!isObject(outer) || Object.keys(outer).length > 0) break;
        left = removeValue(left, at.slice(0, depth));
      }
      return isEmptyObject(left) ? null : left;
    },
  };
}

/** A group may contain the user's hooks beside ours; removes only ours. */
function withoutOurs(text: string, at: JSONPath, group: unknown): string {
  const inner = innerHooks(group);
  if (inner.every((hook) => isOurs(hook))) return removeValue(text, at);
  return inner
    .flatMap((hook, index) => (isOurs(hook) ? [index] : []))
    .reverse()
    .reduce((left, index) => removeValue(left, [...at, 'hooks', index]), text);
}

function hasOurs(group: unknown): boolean {
  return innerHooks(group).some((hook) => isOurs(hook));
}

function innerHooks(group: unknown): readonly unknown[] {
  if (!isObject(group)) return [];
  const { hooks } = group;
  return Array.isArray(hooks) ? (hooks as readonly unknown[]) : [group];
}

function isOurs(hook: unknown): boolean {
  if (!isObject(hook)) return false;
  const { command, args } = hook;
  return isHookCommand(Array.isArray(args) ? [command, ...(args as unknown[])].join(' ') : command);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
