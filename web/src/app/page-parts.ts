// The pages with parameters, and the dialogs, which are loaded when they are first opened.
import { lazyPart } from '../base/live/lazy-part.ts';

export const TaskPage = lazyPart(async () => (await import('../task/task-page.tsx')).TaskPage);
export const ChatPage = lazyPart(async () => (await import('../chat/chat-page.tsx')).ChatPage);
export const PaletteList = lazyPart(async () => (await import('./shell/palette.tsx')).PaletteList);
export const LoginPage = lazyPart(async () => (await import('./account/login.tsx')).LoginPage);
export const LoginInPlace = lazyPart(async () => (await import('./account/login.tsx')).LoginInPlace);
export const HelpDialog = lazyPart(async () => (await import('../settings/help-dialog.tsx')).HelpDialog);
