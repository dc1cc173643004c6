import type { FileMessage } from '../shared/formPage.ts';
import type { OneFormPage } from '../shared/oneForm.ts';
import type { createRequestActs } from './acts.ts';
import type { createAskActs } from './askActs.ts';

/** The page, as the forms about requests use it. */
export type RequestPage = OneFormPage &
  ReturnType<typeof createRequestActs> &
  ReturnType<typeof createAskActs> & {
    readonly dispatch: (
      message: FileMessage | { readonly type: 'back' } | { readonly type: 'select'; readonly key: string },
    ) => void;
  };
