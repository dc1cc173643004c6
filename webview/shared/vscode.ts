/** The editor's side of the page: the result of `acquireVsCodeApi`, typed by the surface that uses it. */
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

/** Called once per page: the editor gives its API only once. `parse` checks the state that an older version saved. */
export function connect<Message, State>(parse: (saved: unknown) => State | undefined): Host<Message, State> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    restore: () => parse(api.getState()),
    save: (state) => api.setState(state),
  };
}
