// What is done on the chat page, and what it says.
import type { Reader } from '../../rigs/pages/browser.ts';

export async function say(reader: Reader, agent: string, text: string): Promise<void> {
  await reader.page.getByLabel(`Message to ${agent}`).fill(text);
  await reader.page.keyboard.press('Control+Enter');
}

export const composerWords = (reader: Reader): Promise<string> => reader.page.locator('.composer').innerText();
