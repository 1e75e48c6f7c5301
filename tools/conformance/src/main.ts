import { isFirnError } from '@firn/codec'
import { ConformanceError } from './ConformanceError.ts'
import * as Report from './Report.ts'
import * as Runner from './Runner.ts'

const USAGE = `Usage: conformance [--database=<postgres url>] <folder>…

Runs the golden vectors, recorded chains, or recorded exchanges in each folder against the code.
--database  indexes archives into that PostgreSQL database instead of memory, in schemas conformance_<network id>
Exit status: 0 all agree, 1 a difference, an unknown file or nothing to run, 2 wrong usage.`

/** Where a line of output goes. */
export type Write = (line: string) => void

const DATABASE = '--database='

interface Arguments extends Runner.RunOptions {
  readonly folders: readonly string[]
}

function usage(problem: string): ConformanceError {
  return new ConformanceError('CONFORMANCE_USAGE', problem)
}

function parse(argv: readonly string[]): Arguments {
  const database = argv.find((argument) => argument.startsWith(DATABASE))?.slice(DATABASE.length)
  const folders = argv.filter((argument) => !argument.startsWith(DATABASE))
  const option = folders.find((argument) => argument.startsWith('-'))
  if (option !== undefined) throw usage(`expected a folder, got ${option}`)
  if (folders.length === 0) throw usage('expected a folder, got none')
  if (database === undefined) return { folders }
  if (!/^postgres(ql)?:/.test(database)) throw usage(`expected postgres://… for --database, got ${database}`)
  return { folders, database }
}

async function runFolder(folder: string, options: Runner.RunOptions, write: Write): Promise<boolean> {
  const report = await Runner.run(folder, options)
  for (const line of Report.format(report)) write(line)
  return Report.isPassed(report)
}

/** Runs the folders named in `argv` (without the program's name) and returns the exit status. */
export async function main(argv: readonly string[], write: Write = console.log): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    write(USAGE)
    return 0
  }
  try {
    const { folders, ...options } = parse(argv)
    let isPassed = true
    for (const folder of folders) isPassed = (await runFolder(folder, options, write)) && isPassed
    return isPassed ? 0 : 1
  } catch (error) {
    if (!isFirnError(error)) throw error
    write(`conformance: ${error.message}`)
    if (error.code !== 'CONFORMANCE_USAGE') return 1
    write(USAGE)
    return 2
  }
}
