// German, as one file that comes only where a browser asks for it. What is not here yet is said in English.
import { app } from './app.ts';

export const de = { app };
