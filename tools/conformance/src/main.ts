import { Fault } from '@firn/devnet'
import { PackageVersion } from '@firn/http'
import { Command, OptionsError, option, type Program, Type } from '@firn/options'
import * as Report from './Report.ts'
import * as Runner from './Runner.ts'

/** Writes a line of output. */
export type Write = (line: string) => void

async function runFolder(folder: string, options: Runner.RunOptions, write: Write): Promise<boolean> {
  const report = await Runner.run(folder, options)
  for (const line of Report.format(report)) write(line)
  return Report.isPassed(report)
}

const MAX_PEERS = 100

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
      help: 'PostgreSQL database in which archives are indexed, in schemas named conformance_<network id>. Default: in memory, or with --peers in a temporary PostgreSQL if it is available.',
    }),
    peers: option(Type.integer(0, MAX_PEERS), {
      default: 0,
      help: 'Fetches the blocks of archives from this number of peers on this machine, as a node does. By default, they are read from the archive.',
    }),
    liars: option(Type.integer(0, MAX_PEERS), {
      default: 0,
      help: 'Number of the peers that lie. More than half of the peers must be honest.',
    }),
    node: option(Type.flag, {
      default: false,
      help: 'Fetches the blocks and vertices of archives from a server of the recorded Index API on this machine, as with --upstream.',
    }),
    lie: option(Type.choice(...Fault.kindsOf('blocks')), {
      default: 'any',
      help: 'How these peers lie. any: each time in another way.',
    }),
  },
  check({ peers, liars, node }) {
    if (node && peers > 0) throw new OptionsError('--node: pass either --node or --peers')
    if (liars > 0 && 2 * liars >= peers)
      throw new OptionsError(`--liars: expected less than half of the ${peers} peers, got ${liars}`)
  },
  run: async ({ database, peers, liars, lie, node }, { operands, terminal }) => {
    const network = peers === 0 ? undefined : { peers, liars, lie, note: terminal.note }
    let isPassed = true
    for (const folder of operands) {
      const options = { database, network, isFromNode: node }
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
