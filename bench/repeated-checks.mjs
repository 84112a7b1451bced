// Loaded into a Standfast of the bench (`node --import`): it makes each check of trust several times. The product has no
// such switch.
import { register } from 'node:module';

register('./repeated-checks-hooks.mjs', import.meta.url);
