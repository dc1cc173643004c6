/** Values that several surfaces send. */
import * as z from 'zod';
import { importSource } from '../../core/records/import.ts';
import { limits } from '../../core/kit/words.ts';

/** A time: ISO 8601 in UTC. Webviews show it in words, with the exact time in a tooltip. */
export const isoTime = z.iso.datetime();

/**
 * An opaque value that one side creates and the other returns: never shown, never parsed.
 * `key` names one thing in the window (ids like Q-12 are per workspace, and a window can show several).
 */
export const token = z.string().min(1).max(200);

/** The server of a shared workspace does not answer. */
const outage = z.strictObject({
  /** `offline`: agents go on within the lease. `unknown`: they wait. */
  state: z.enum(['offline', 'unknown']),
  /** When the server last answered. */
  since: isoTime.optional(),
  why: z.enum(['lease', 'never', 'clock', 'forked']).optional(),
  /** Which workspace, if the window has several. */
  folder: z.string().min(1).max(limits.title).optional(),
});
export type Outage = z.infer<typeof outage>;

/** Fields of every snapshot. */
export const snapshotHead = {
  type: z.literal('snapshot'),
  /** The host's clock, which can differ from the browser's. */
  now: isoTime,
  outage: outage.optional(),
};

/** Text for people: complete, translated, without markup. */
export const sentence = z.string().min(1).max(limits.otherText);

/** A text by an agent or a human; Markdown where the field says so. */
export const longText = z.string().max(limits.otherText);

/** A short name for people. */
export const label = z.string().min(1).max(limits.title);

/** The source of an imported item, not verified. `ref` is its id there. */
export const imported = z.strictObject({ from: importSource, source: label, ref: label });
export type Imported = z.infer<typeof imported>;

/** A file as people name it: workspace-relative, with `/` on every system. */
export const fileRef = z.strictObject({
  path: z.string().min(1).max(limits.path),
  line: z.int().min(1).optional(),
  /** False if the file does not exist (any more): shown, but not as a link. */
  exists: z.boolean(),
});
export type FileRef = z.infer<typeof fileRef>;

/** A work item, shown by name first, then id. */
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

/** A person, and whether it is the reader. */
export const person = z.strictObject({ name: label, you: z.boolean() });

/** Present while a human extends the hold to every file of the workspace. */
export const allFiles = z.strictObject({ by: person, at: isoTime });
export type AllFiles = z.infer<typeof allFiles>;

/** What a question or RFC holds. */
export const held = {
  work: z.array(workRef),
  /** Dependents of `work`. `count` can exceed the number named. */
  cascade: z.strictObject({ count: z.int().min(0), named: z.array(workRef) }),
  /** Globs of files that no agent may edit meanwhile. */
  files: z.array(z.string().min(1).max(limits.glob)),
  /** Present if all files are held, including these. */
  all: allFiles.optional(),
};

/** The history, oldest first. */
export const history = z.array(z.strictObject({ at: isoTime, text: sentence }));

/** Sent with every view that can decide something, and returned with the decision. */
export const renderMark = {
  /** The item of this view. */
  key: token,
  /** Hash of exactly what is shown. The host refuses a decision about anything else. */
  shown: token,
  /** New for every rendering: only a form that the host has sent can decide. */
  render: token,
};

/** The signer's name. Editable until the first signature; after that, the enrolled name. */
export const signer = z.strictObject({
  name: z.string().max(limits.title),
  editable: z.boolean(),
  /** The key is on another machine, where the editor works. */
  remote: z.boolean().optional(),
});
export type Signer = z.infer<typeof signer>;
