/**
 * A disk that loses data that was not flushed. File operations happen for real and are recorded; from the record, the
 * model derives the possible results of a power loss at any moment: content and directory entries are durable only
 * after an fsync of the file and of the folder, and anything else may exist completely, in part or not at all.
 *
 * A model, not a real block device: LazyFS and dm-log-writes need a mount, and therefore root.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { realFs } from '../store/sandbox.ts';
import type { Tree } from './tree.ts';

/** What happens to data that was not flushed. */
export const losses = [
  'all of it is lost',
  'all of it is kept',
  'names are kept, content is lost',
  'content is kept, names are lost',
  'some of it is lost',
  'some of it is lost, some of the rest is cut short',
  'some of it is lost, some of the rest is zeros',
] as const;
export type Loss = (typeof losses)[number];

interface FileNode {
  readonly kind: 'file';
  /** The content that programs see. */
  content: Buffer;
  /** The content on the medium. */
  durable: Buffer;
  /** Writes since then, in order. */
  pending: { readonly at: number; readonly bytes: Buffer }[];
}

interface FolderNode {
  readonly kind: 'folder';
  readonly entries: Map<string, Node>;
  readonly durable: Map<string, Node>;
  /** Changes of entries since then, in order; a rename within one folder is one change. */
  pending: ReadonlyMap<string, Node | null>[];
}

type Node = FileNode | FolderNode;

export interface Disk {
  /** The file system for a program. */
  readonly fs: FileSystem;
  /** The number of changes so far. */
  moments(): number;
  /** Calls back before each change, when the power may fail. */
  onMoment(listener: () => void): void;
  /** Simulates a failure of the medium: a file has different content, durably. */
  spoil(file: string, content: Buffer): void;
  /** The files below the base after a power loss now. */
  afterLoss(loss: Loss, random: (below: number) => number): Tree;
}

/** @param base everything below it is modelled; its current content is durable */
export function newDisk(base: string): Disk {
  const root = folderOf(base);
  const opened = new Map<number, { node: Node; appends: boolean; at: number }>();
  let moments = 0;
  let listener = (): void => undefined;

  const moment = () => {
    listener();
    moments++;
  };
  const parts = (file: string) => path.relative(base, file).split(path.sep);
  const isOurs = (file: string) => file === base || file.startsWith(base + path.sep);

  function find(file: string): Node | undefined {
    let node: Node | undefined = root;
    for (const part of file === base ? [] : parts(file))
      node = node?.kind === 'folder' ? node.entries.get(part) : undefined;
    return node;
  }

  function parent(file: string): FolderNode {
    const node = find(path.dirname(file));
    if (node?.kind !== 'folder') throw new Error(`${file} is in no folder`);
    return node;
  }

  function rename(folder: FolderNode, changes: ReadonlyMap<string, Node | null>): void {
    apply(folder.entries, changes);
    folder.pending.push(changes);
  }

  const wrapped = {
    openSync: ((file: string, flags: string, mode?: number) => {
      if (!isOurs(file) || flags === 'r') {
        const descriptor = fs.openSync(file, flags, mode);
        const node = isOurs(file) ? find(file) : undefined;
        if (node) opened.set(descriptor, { node, appends: false, at: 0 });
        else opened.delete(descriptor);
        return descriptor;
      }
      const known = find(file);
      if (!known) moment();
      const descriptor = fs.openSync(file, flags, mode);
      const node = known ?? emptyFile();
      if (!known) rename(parent(file), new Map([[path.basename(file), node]]));
      opened.set(descriptor, { node, appends: flags.startsWith('a'), at: 0 });
      return descriptor;
    }) as typeof fs.openSync,
    closeSync(descriptor: number) {
      opened.delete(descriptor);
      fs.closeSync(descriptor);
    },
    writeSync: ((descriptor: number, bytes: Uint8Array, from?: number, count?: number) => {
      const offset = from ?? 0;
      const length = count ?? bytes.length - offset;
      const open = opened.get(descriptor);
      if (open?.node.kind !== 'file') return fs.writeSync(descriptor, bytes, offset, length);
      moment();
      const written = fs.writeSync(descriptor, bytes, offset, length);
      const part = Buffer.from(bytes.subarray(offset, offset + written));
      const at = open.appends ? open.node.content.length : open.at;
      open.at = at + written;
      open.node.content = withWrite(open.node.content, at, part);
      open.node.pending.push({ at, bytes: part });
      return written;
    }) as typeof fs.writeSync,
    fsyncSync: flush,
    fdatasyncSync: flush,
    mkdirSync: ((folder: string, options?: fs.MakeDirectoryOptions) => {
      const missing: string[] = [];
      for (let at = folder; isOurs(at) && !find(at); at = path.dirname(at)) missing.unshift(at);
      if (missing.length > 0) moment();
      const made = fs.mkdirSync(folder, options);
      for (const at of missing) rename(parent(at), new Map([[path.basename(at), emptyFolder()]]));
      return made;
    }) as typeof fs.mkdirSync,
    renameSync: ((from: string, to: string) => {
      moment();
      fs.renameSync(from, to);
      const node = find(from);
      if (!node) throw new Error(`${from} is not in the model`);
      const [source, target] = [parent(from), parent(to)];
      const gone = [path.basename(from), null] as const;
      const here = [path.basename(to), node] as const;
      if (source === target) rename(source, new Map<string, Node | null>([gone, here]));
      else {
        rename(source, new Map([gone]));
        rename(target, new Map([here]));
      }
    }) as typeof fs.renameSync,
    rmSync: ((file: string, options?: fs.RmOptions) => {
      const known = find(file);
      if (known) moment();
      fs.rmSync(file, options);
      if (known) rename(parent(file), new Map([[path.basename(file), null]]));
    }) as typeof fs.rmSync,
    copyFileSync: () => {
      throw new Error('the model has no copying, since the store does not copy');
    },
  };

  function flush(descriptor: number): void {
    moment();
    fs.fsyncSync(descriptor);
    const node = opened.get(descriptor)?.node;
    if (node?.kind === 'file') {
      node.durable = node.content;
      node.pending = [];
    } else if (node) {
      node.durable.clear();
      for (const [name, entry] of node.entries) node.durable.set(name, entry);
      node.pending = [];
    }
  }

  return {
    fs: { ...realFs, ...wrapped },
    moments: () => moments,
    onMoment(next) {
      listener = next;
    },
    spoil(file, content) {
      const node = find(file);
      if (node?.kind !== 'file') throw new Error(`${file} is no file`);
      fs.writeFileSync(file, content);
      node.content = node.durable = content;
      node.pending = [];
    },
    afterLoss(loss, random) {
      const tree = new Map<string, Buffer | null>();
      const take = (folder: FolderNode, below: string) => {
        for (const [name, node] of entriesAfter(folder, loss, random)) {
          const at = path.join(below, name);
          tree.set(at, node.kind === 'folder' ? null : contentAfter(node, loss, random));
          if (node.kind === 'folder') take(node, at);
        }
      };
      take(root, '');
      return tree;
    },
  };
}

/** Journalling file systems keep the order of changes in a folder: a later change survives only with earlier ones. */
function entriesAfter(folder: FolderNode, loss: Loss, random: (below: number) => number): Map<string, Node> {
  const entries = new Map(folder.durable);
  const kept =
    loss === 'all of it is kept' || loss === 'names are kept, content is lost'
      ? folder.pending.length
      : loss.startsWith('some')
        ? random(folder.pending.length + 1)
        : 0;
  for (const changes of folder.pending.slice(0, kept)) apply(entries, changes);
  return entries;
}

function contentAfter(file: FileNode, loss: Loss, random: (below: number) => number): Buffer {
  if (loss === 'all of it is kept' || loss === 'content is kept, names are lost') return file.content;
  let content = file.durable;
  if (!loss.startsWith('some')) return content;
  // Pages can be written back in any order.
  for (const { at, bytes } of file.pending) {
    if (random(2) === 0) continue;
    const cut = loss.endsWith('cut short') ? random(bytes.length + 1) : bytes.length;
    const zeros = loss.endsWith('zeros') && random(2) === 0;
    content = withWrite(content, at, zeros ? Buffer.alloc(bytes.length) : bytes.subarray(0, cut));
  }
  return content;
}

/** Applies a write; a gap before it reads as zeros. */
function withWrite(before: Buffer, at: number, bytes: Buffer): Buffer {
  const after = Buffer.alloc(Math.max(before.length, at + bytes.length));
  before.copy(after);
  bytes.copy(after, at);
  return after;
}

function apply(entries: Map<string, Node>, changes: ReadonlyMap<string, Node | null>): void {
  for (const [name, node] of changes)
    if (node) entries.set(name, node);
    else entries.delete(name);
}

function emptyFile(): FileNode {
  return { kind: 'file', content: Buffer.alloc(0), durable: Buffer.alloc(0), pending: [] };
}

function emptyFolder(): FolderNode {
  return { kind: 'folder', entries: new Map(), durable: new Map(), pending: [] };
}

function folderOf(folder: string): FolderNode {
  const made = emptyFolder();
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    const node: Node = entry.isDirectory() ? folderOf(file) : fileOf(file);
    made.entries.set(entry.name, node);
    made.durable.set(entry.name, node);
  }
  return made;
}

function fileOf(file: string): FileNode {
  const content = fs.readFileSync(file);
  return { kind: 'file', content, durable: content, pending: [] };
}
