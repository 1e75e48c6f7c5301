import { isFirnError } from '@firn/codec'
import { ConformanceError } from './ConformanceError.ts'
import * as Report from './Report.ts'
import * as Runner from './Runner.ts'

const USAGE = `Usage: conformance <folder>…

Runs the golden vectors, recorded chains, or recorded exchanges in each folder against the code.
Exit status: 0 all agree, 1 a difference, an unknown file or nothing to run, 2 wrong usage.`

/** Where a line of output goes. */
export type Write = (line: string) => void

function folders(argv: readonly string[]): readonly string[] {
  const option = argv.find((argument) => argument.startsWith('-'))
  if (argv.length > 0 && option === undefined) return argv
  const problem = option === undefined ? 'expected a folder, got none' : `expected a folder, got ${option}`
  throw new ConformanceError('CONFORMANCE_USAGE', problem)
}

async function runFolder(folder: string, write: Write): Promise<boolean> {
  const report = await Runner.run(folder)
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
    let isPassed = true
    for (const folder of folders(argv)) isPassed = (await runFolder(folder, write)) && isPassed
    return isPassed ? 0 : 1
  } catch (error) {
    if (!isFirnError(error)) throw error
    write(`conformance: ${error.message}`)
    if (error.code !== 'CONFORMANCE_USAGE') return 1
    write(USAGE)
    return 2
  }
}
