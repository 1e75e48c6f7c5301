import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Terminal } from '../Terminal.ts'
import type * as Archive from './Archive.ts'
import type * as Doctor from './Doctor.ts'
import type * as DoctorAgainst from './DoctorAgainst.ts'
import type * as EvmDoctor from './evm/EvmDoctor.ts'
import { chainId, count, port, url, withDatabase, withNetwork, withUpstream } from './Flags.ts'
import type * as Index from './Index.ts'
import { withIndexing } from './IndexingOptions.ts'

const addIndex = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('index')
    .description('follow a node, or read an archive, into a database that `firn node` serves')
    .option('--from <folder>', 'archive of containers to read, as `firn archive` writes it')
  withIndexing(withNetwork(withDatabase(withUpstream(command, 'node to follow'))))
    .option('--once', 'end at the tip; an archive always ends there')
    .option('--metrics-port <port>', 'serve /metrics and /health there; 0 for any free port', port)
    .option('--metrics-host <host>', 'and at this address', '127.0.0.1')
    .action(async (options: Index.Options) => {
      const { index } = await import('./Index.ts')
      await index(options, terminal)
    })
}

const addArchive = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('archive')
    .description(
      'write the containers of a node or of a database into a folder, as `firn index --from` reads it',
    )
    .requiredOption('--to <folder>', 'where to; an archive that is there is gone on with')
  withNetwork(withDatabase(withUpstream(command, 'node to read (default: the database)'))).action(
    async (options: Archive.Options) => {
      const { archive } = await import('./Archive.ts')
      await archive(options, terminal)
    },
  )
}

const seed = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a number of at most nine digits.')
}

type DoctorOptions = Doctor.Options & Partial<EvmDoctor.Options> & AgainstOptions

/** What `--against` needs is known only once it is given. */
type AgainstOptions = Omit<DoctorAgainst.Options, 'against'> & { readonly against?: string }

const addDoctor = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('doctor')
    .description('check that nothing is missing from a database, or that a node agrees; exits with 1 if not')
  withNetwork(withDatabase(withUpstream(command, 'node to compare with')))
    .option('--replay', 'apply all blocks once more, in memory, and compare every table')
    .option('--digests', "print each chain's digest at every thousand blocks")
    .option(
      '--chain-id <id>',
      'examine what is stored of the EVM chain with this id, not of the Primary Network',
      chainId,
    )
    .addOption(
      new Option('--against <url>', 'compare validators, supply, balances and UTXOs with a node instead')
        .argParser((text: string) => url(text)[0])
        .conflicts(['upstream', 'replay', 'digests', 'chainId']),
    )
    .option('--sample-addresses <n>', 'with --against: addresses of each chain to compare', count, 20)
    .option('--sample-heights <n>', 'with --against: heights of each chain to compare', count, 5)
    .option(
      '--sample-subnets <n>',
      'with --against: subnets to compare, beside the Primary Network',
      count,
      10,
    )
    .option('--seed <n>', 'with --against: choose the same sample as the run that printed this number', seed)
    .action(async (options: DoctorOptions) => {
      const { chainId, against } = options
      if (against !== undefined)
        return (await import('./DoctorAgainst.ts')).against({ ...options, against }, terminal)
      if (chainId !== undefined) {
        return (await import('./evm/EvmDoctor.ts')).doctor({ ...options, chainId }, terminal)
      }
      return (await import('./Doctor.ts')).doctor(options, terminal)
    })
}

/** Adds `firn index`, `firn archive` and `firn doctor`. */
export const add = (program: Command, terminal: Terminal): void => {
  addIndex(program, terminal)
  addArchive(program, terminal)
  addDoctor(program, terminal)
}
