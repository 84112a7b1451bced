// The question of a program's body: the same rules for whichever interface brings it.
import type { AskBody } from '../../contract/views/ask.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { readAsk } from '../../core/questions/ask.ts';
import { keptFiles } from './ask-files.ts';
import type { AskedPeople } from './ask-people.ts';

/** The question of a body; throws `input_invalid`. */
export function askedOf(body: AskBody, id: string): AskedPeople {
  const { policy = null, ifChanged, files = [] } = body;
  const read = readAsk(body, id);
  if (!read.ok) throw new StandfastError('input_invalid', read.why);
  const { question, untitled } = read;
  return { id, question, policy, untitled, ifChanged, files: keptFiles(files) };
}
