/** Values that more than one surface sends. */
import * as z from 'zod';
import { importSource } from '../../core/records/import.ts';
import { limits } from '../../core/kit/words.ts';

/** A time: ISO 8601 in UTC. Webviews turn it into words and keep the exact one in a tooltip. */
export const isoTime = z.iso.datetime();

/**
 * An opaque value made by one side and given back by the other: never shown, never parsed.
 * `key` names one thing in the window (ids like Q-12 are per workspace, and a window can show several).
 */
export const token = z.string().min(1).max(200);

/** What every snapshot begins with. */
export const snapshotHead = {
  type: z.literal('snapshot'),
  /** The host's clock, which need not be the browser's. */
  now: isoTime,
  /** BCP 47, for dates. */
  locale: z.string().min(1).max(50),
  /** The words of the page, translated. */
  strings: z.record(z.string(), z.string()),
};

/** Words for people: finished, translated, never markup. */
export const sentence = z.string().min(1).max(limits.otherText);

/** A text of an agent or a human; Markdown where its field says so. */
export const longText = z.string().max(limits.otherText);

/** A short name for people. */
export const label = z.string().min(1).max(limits.title);

/** Where it comes from, if an import brought it: nobody verified what it says there. `ref` is its id over there. */
export const imported = z.strictObject({ from: importSource, source: label, ref: label });
export type Imported = z.infer<typeof imported>;

/** A file as the reader would name it: workspace-relative, `/` on every system. */
export const fileRef = z.strictObject({
  path: z.string().min(1).max(limits.path),
  line: z.int().min(1).optional(),
  /** False: it is named, but not there (any more); shown, and not a link. */
  exists: z.boolean(),
});
export type FileRef = z.infer<typeof fileRef>;

/** A work item by name; its id comes second. */
export const workRef = z.strictObject({
  id: z.string().min(1).max(limits.id),
  title: z.string().min(1).max(limits.title),
});
export type WorkRef = z.infer<typeof workRef>;

/** A surface of one folder of the window: the folders to choose from, when there are several, and the one it shows. */
export const chosenFolder = {
  folders: z.array(z.strictObject({ key: token, name: label })),
  folder: token,
};

/** Who did it, and whether that is the reader. */
export const person = z.strictObject({ name: label, you: z.boolean() });

/** Set while a human has every file of the workspace held by a question or RFC. */
export const allFiles = z.strictObject({ by: person, at: isoTime });
export type AllFiles = z.infer<typeof allFiles>;

/** What a question or RFC holds. */
export const held = {
  work: z.array(workRef),
  /** What depends on `work`. `count` may be more than what is named. */
  cascade: z.strictObject({ count: z.int().min(0), named: z.array(workRef) }),
  /** Path globs that nothing may edit meanwhile. */
  files: z.array(z.string().min(1).max(limits.glob)),
  /** These and all others. */
  all: allFiles.optional(),
};

/** What has happened so far, oldest first. */
export const history = z.array(z.strictObject({ at: isoTime, text: sentence }));

/** Sent with every view that can decide something, and given back with the decision. */
export const renderMark = {
  /** What this view is about. */
  key: token,
  /** Hash of exactly what is shown. The host refuses a decision about anything else. */
  shown: token,
  /** Made anew for every rendering: only a form the host has drawn can decide. */
  render: token,
};

/** The name that signs. Editable at first use only; then the enrolled one. */
export const signer = z.strictObject({
  name: z.string().max(limits.title),
  editable: z.boolean(),
});
export type Signer = z.infer<typeof signer>;
