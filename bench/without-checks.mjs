// Loaded into a Holdpoint of the bench (`node --import`): its checks of trust do nothing, so that what they cost is the
// difference. The product has no such switch.
import { register } from 'node:module';

register('./without-checks-hooks.mjs', import.meta.url);
