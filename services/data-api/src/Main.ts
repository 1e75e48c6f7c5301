import { Program } from '@firn/options'
import { COMMAND } from './command/DataApi.ts'
import { VERSION } from './command/Version.ts'

/** Runs the program with the arguments, environment and files of a process. */
export function main(process: Program.Process): Promise<void> {
  return Program.main({ name: 'firn-data-api', version: VERSION, load: () => COMMAND }, process)
}
