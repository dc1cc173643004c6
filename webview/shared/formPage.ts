/** The page, as parts of a form use it. Each surface's page implements it. */
import type { Flight } from './flights.ts';

/** A validation message and its field. */
export interface Missing<Field extends string = string> {
  readonly field: Field;
  readonly text: string;
}

/** A file location to open beside the page. */
export interface FileMessage {
  readonly type: 'openFile';
  readonly key: string;
  readonly path: string;
  readonly line?: number;
}

/** An image of the workspace, to be shown in a document. */
export interface ImageMessage {
  readonly type: 'showImage';
  readonly key: string;
  readonly path: string;
}

export interface OpensFiles {
  readonly dispatch: (message: FileMessage) => void;
  /** Absent if images are only named. */
  readonly showImage?: (message: ImageMessage) => void;
}

export interface Folds {
  readonly isUnfolded: (part: string) => boolean;
  readonly unfold: (part: string, open: boolean) => void;
}

export interface FormPage {
  readonly step: () => 'form' | 'confirm';
  readonly hint: () => Missing | undefined;
  readonly refusal: () => string | undefined;
  readonly flight: () => Pick<Flight<never>, 'slow'> | undefined;
  readonly again: () => void;
  /** One step back; false when there is none. */
  readonly back: () => boolean;
  readonly nameFor: (proposed: string) => string;
  readonly setName: (name: string) => void;
}
