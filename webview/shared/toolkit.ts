/**
 * The only file that knows the component library, so replacing the library changes only this file.
 * Used: button, checkbox, text field, progress ring. Where the platform has the better element (`textarea`, `details`,
 * `input type=radio`), the platform's is used.
 */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeProgressRing,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeCheckbox(), vsCodeProgressRing(), vsCodeTextField());
}
