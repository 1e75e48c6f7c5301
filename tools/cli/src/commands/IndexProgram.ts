import { homedir } from 'node:os'
import { join } from 'node:path'
import { Network } from '@firn/codec'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Terminal } from '../Terminal.ts'
import type * as Archive from './Archive.ts'
import type * as Doctor from './Doctor.ts'
import type * as Index from './Index.ts'

const port = (text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('Expected a port.')
}

const count = (text: string): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a number from 1 to 999999.')
}

const network = (text: string): number => {
  try {
    return Network.parseName(text)
  } catch {
    throw new InvalidArgumentError('Expected mainnet, fuji, local, network-<id> or an id.')
  }
}

const url = (text: string, before: readonly string[] = []): readonly string[] => {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return [...before, text]
  throw new InvalidArgumentError('Expected a URL such as http://127.0.0.1:9650.')
}

const withUpstream = (command: Command, description: string): Command =>
  command.option('--upstream <url>', `${description}; repeat it for more, in order of preference`, url)

const withDatabase = (command: Command): Command =>
  command
    .addOption(new Option('--database-url <url>', 'PostgreSQL, as postgres://…').env('FIRN_DATABASE_URL'))
    .addOption(
      new Option('--data-dir <folder>', 'where the embedded database is, without --database-url')
        .env('AVAGO_DATA_DIR')
        .default(join(homedir(), '.firn'), '~/.firn'),
    )
    .option('--schema <name>', "schema of the network's tables (default: primary_<network id>)")

const withNetwork = (command: Command): Command =>
  command
    .addOption(
      new Option('--network-id <network>', 'mainnet, fuji, local, network-<id> or an id')
        .env('AVAGO_NETWORK_ID')
        .argParser(network),
    )
    .addOption(
      new Option('--genesis-file <file>', "a network's genesis, file or URL").env('AVAGO_GENESIS_FILE'),
    )
    .addOption(
      new Option('--genesis-file-content <base64>', 'the same in base64').env('AVAGO_GENESIS_FILE_CONTENT'),
    )
    .addOption(new Option('--upgrade-file <file>', 'upgrade times, file or URL').env('AVAGO_UPGRADE_FILE'))
    .addOption(
      new Option('--upgrade-file-content <base64>', 'the same in base64').env('AVAGO_UPGRADE_FILE_CONTENT'),
    )

const addIndex = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('index')
    .description('follow a node, or read an archive, into a database that `firn node` serves')
    .option('--from <folder>', 'archive of containers to read, as `firn archive` writes it')
  withNetwork(withDatabase(withUpstream(command, 'node to follow')))
    .option('--once', 'end at the tip; an archive always ends there')
    .option('--metrics-port <port>', 'serve /metrics and /health there; 0 for any free port', port)
    .option('--metrics-host <host>', 'and at this address', '127.0.0.1')
    .option('--batch-blocks <n>', 'most blocks in one transaction of the database', count, 512)
    .option('--poll-interval <ms>', 'how often a node is asked for new blocks', count, 500)
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
    .action(async (options: Doctor.Options) => {
      const { doctor } = await import('./Doctor.ts')
      await doctor(options, terminal)
    })
}

/** Adds `firn index`, `firn archive` and `firn doctor`. */
export const add = (program: Command, terminal: Terminal): void => {
  addIndex(program, terminal)
  addArchive(program, terminal)
  addDoctor(program, terminal)
}
