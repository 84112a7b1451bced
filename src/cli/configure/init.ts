// `standfast init`: a commented configuration to begin with, and its JSON Schema for editors.
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configJsonSchema } from '../../config/config-json-schema.ts';
import { schemaFile, startingConfig } from '../../config/starting-config.ts';
import { StartError } from '../run/startup-output.ts';
import { errorText } from '../../host/process/errno.ts';

/** Writes both files and returns their names; a configuration that exists stays as it is, its schema is made new. */
export function init({ config = 'standfast.yaml' }: { config?: string }): { written: string[]; kept: string[] } {
  const schema = join(dirname(config), schemaFile);
  const isKept = existsSync(config);
  try {
    writeFileSync(schema, `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
    if (!isKept) writeFileSync(config, startingConfig, { flag: 'wx' });
  } catch (error) {
    throw new StartError(`${dirname(config)}: ${errorText(error)}`);
  }
  return { written: isKept ? [schema] : [config, schema], kept: isKept ? [config] : [] };
}
