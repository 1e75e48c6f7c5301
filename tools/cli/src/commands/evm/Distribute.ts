import { Command, Common, option, type Terminal, Type, type Values } from '@firn/options'
import { distributeEvmChain } from '@firn/store/evm'
import { CliError } from '../../CliError.ts'
import * as Database from '../Database.ts'
import * as ChainStores from './ChainStores.ts'

const OPTIONS = {
  chains: option(Type.flag, {
    default: false,
    help: 'Put all tables of each stored EVM chain onto one worker. Chains that are on a worker already stay there.',
  }),
  ...Common.DATABASE,
  ...Common.LOG_LEVEL,
}

/** Options of `firn db distribute`. */
export type Options = Values<typeof OPTIONS>

export const COMMAND = Command.create({
  description:
    'Puts EVM chains onto the workers of a Citus cluster, and prints where each chain is. Indexers wait while the rows of their chain are copied.',
  example: '--chains --database-url postgres://firn@coordinator/firn',
  options: OPTIONS,
  check: ({ chains, databaseUrl }) => {
    if (!chains) throw new CliError('CLI_USAGE', 'nothing to distribute: pass --chains')
    if (databaseUrl === undefined)
      throw new CliError('CLI_USAGE', 'pass --database-url with the coordinator of a Citus cluster')
  },
  run: (options, { terminal }) => distribute(options, terminal),
})

const distribute = async (options: Options, terminal: Terminal): Promise<void> => {
  const log = Database.logger(terminal)
  const ids = await ChainStores.storedChains(options)
  if (ids.length === 0) throw new CliError('CLI_INPUT', 'the database contains no EVM chain')
  for (const chainId of ids) {
    const store = await ChainStores.openOne(options, chainId, log)
    try {
      const { host, port, bytes } = await distributeEvmChain(store)
      terminal.print(`chain ${chainId}: ${host}:${port}, ${(Number(bytes) / 1e6).toFixed(1)} MB`)
    } finally {
      await store.close()
    }
  }
}
