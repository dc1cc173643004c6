/** The editor's side of the page: what `acquireVsCodeApi` gives, typed by the surface that uses it. */
export interface Host<Message, State> {
  readonly post: (message: Message) => void;
  readonly restore: () => State | undefined;
  readonly save: (state: State) => void;
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** Once per page: the editor gives its api only once. `parse` checks what an older version may have saved. */
export function connect<Message, State>(parse: (saved: unknown) => State | undefined): Host<Message, State> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    restore: () => parse(api.getState()),
    save: (state) => api.setState(state),
  };
}
