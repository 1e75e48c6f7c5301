import type { Command } from 'commander'
import type { Terminal } from '../Terminal.ts'
import type * as Archive from './Archive.ts'
import type * as Doctor from './Doctor.ts'
import type * as EvmDoctor from './evm/EvmDoctor.ts'
import { chainId, count, port, withDatabase, withNetwork, withPollInterval, withUpstream } from './Flags.ts'
import type * as Index from './Index.ts'

const addIndex = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('index')
    .description('follow a node, or read an archive, into a database that `firn node` serves')
    .option('--from <folder>', 'archive of containers to read, as `firn archive` writes it')
  withPollInterval(withNetwork(withDatabase(withUpstream(command, 'node to follow'))))
    .option('--once', 'end at the tip; an archive always ends there')
    .option('--metrics-port <port>', 'serve /metrics and /health there; 0 for any free port', port)
    .option('--metrics-host <host>', 'and at this address', '127.0.0.1')
    .option('--batch-blocks <n>', 'most blocks in one transaction of the database', count, 512)
    .option('--no-check-signatures', "leave the proposers' signatures of a node's containers unchecked")
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

const addDoctor = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('doctor')
    .description('prove that nothing is missing from a database, or tell what is; exits with 1 then')
  withNetwork(withDatabase(withUpstream(command, 'node to compare with')))
    .option('--replay', 'apply all blocks once more, in memory, and compare every table')
    .option('--digests', "print each chain's digest at every thousand blocks")
    .option(
      '--chain-id <id>',
      'examine what is stored of the EVM chain with this id, not of the Primary Network',
      chainId,
    )
    .action(async (options: Doctor.Options & Partial<EvmDoctor.Options>) => {
      const { chainId } = options
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
