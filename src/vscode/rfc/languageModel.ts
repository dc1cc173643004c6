/** The editor's own language models: selects a reviewer, and calls it. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ids } from '../../ui/kit/ids.ts';

/** The model that the setting names (`vendor/id`, an id or a family), else Copilot's, else any. */
export async function chooseModel(): Promise<vscode.LanguageModelChat | null> {
  const wanted = vscode.workspace.getConfiguration().get<string>(ids.settings.reviewerModel, '').trim();
  const models = await vscode.lm.selectChatModels();
  if (wanted !== '')
    return (
      models.find(({ vendor, id }) => `${vendor}/${id}` === wanted || id === wanted) ??
      models.find(({ family }) => family === wanted) ??
      null
    );
  return models.find(({ vendor }) => vendor === 'copilot') ?? models[0] ?? null;
}

/** @throws the error of the model or the editor */
export async function askModel(model: vscode.LanguageModelChat, prompt: string, signal: AbortSignal): Promise<string> {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => {
    source.cancel();
  };
  signal.addEventListener('abort', cancel);
  try {
    const response = await model.sendRequest(
      [vscode.LanguageModelChatMessage.User(prompt)],
      { justification: l10n.t('Holdpoint asks it to review a design that an agent proposed.') },
      source.token,
    );
    let text = '';
    for await (const part of response.text) text += part;
    return text;
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}
