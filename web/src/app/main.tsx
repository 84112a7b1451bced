import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import '../ui/tokens.css';
import '../ui/base.css';
import '../ui/controls.css';
import './shell/shell.css';
import '../inbox/inbox.css';
import { type Language, languageOf, speak } from '../i18n/language.ts';
import { bringFont } from '../base/page/font.ts';
import { App } from './app.tsx';

function draw(language: Language): void {
  document.documentElement.lang = language;
  const root = document.getElementById('root');
  // In slices: what is pressed meanwhile is not kept waiting by a whole page. What stood there goes when it is done.
  if (root !== null) startTransition(() => createRoot(root).render(<App />));
}

// English is there already; another language is a file that the browser asked for.
void speak(languageOf(navigator.languages)).then(draw);
bringFont();
