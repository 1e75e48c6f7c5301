import { PackageVersion } from '@firn/http'
import { Command, option, type Program, Type } from '@firn/options'
import * as Report from './Report.ts'
import * as Runner from './Runner.ts'

/** Writes a line of output. */
export type Write = (line: string) => void

async function runFolder(folder: string, options: Runner.RunOptions, write: Write): Promise<boolean> {
  const report = await Runner.run(folder, options)
  for (const line of Report.format(report)) write(line)
  return Report.isPassed(report)
}

/**
 * The command that runs folders of vectors and recordings. The exit status is 1 if there is a difference, an
 * unknown file, or no case.
 */
export const COMMAND: Command.Command = Command.create({
  description:
    'Runs the golden vectors, recorded chains or recorded exchanges in each folder against the code. The exit status is 1 if anything differs, a file is unknown, or there are no cases.',
  example: '../shared/vectors',
  operands: [{ name: 'folder', help: 'Folder of golden vectors or recordings.', isRepeated: true }],
  options: {
    database: option(Type.url('postgres', 'postgresql'), {
      isSecret: true,
      help: 'PostgreSQL database in which archives are indexed, in schemas named conformance_<network id>. Default: in memory.',
    }),
  },
  run: async ({ database }, { operands, terminal }) => {
    let isPassed = true
    for (const folder of operands) {
      const options = database === undefined ? {} : { database }
      isPassed = (await runFolder(folder, options, terminal.print)) && isPassed
    }
    return isPassed ? 0 : 1
  },
})

/** The program that consists only of this command. */
export const PROGRAM: Program.Program = {
  name: 'conformance',
  version: PackageVersion.read(import.meta.url),
  load: () => COMMAND,
}
