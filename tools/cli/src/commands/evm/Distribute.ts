import { ChainStores, distributeEvmChain, type Placement, shardEvmChain } from '@firn/evm-store'
import { Database } from '@firn/indexer'
import { Command, Common, NamedChains, option, type Terminal, Type, type Values } from '@firn/options'
import { CliError } from '../../CliError.ts'

const OPTIONS = {
  chain: option(NamedChains.ID, {
    help: 'EVM chain id of a stored chain. Distributes its tables over all workers, for a chain that does not fit on one server. If the command is interrupted, run it again.',
  }),
  shards: option(Type.integer(2, 1_024, 'shards'), {
    defaultText: '16',
    help: 'Number of shards of each table, with --chain. It limits the number of workers, and cannot be changed later.',
  }),
  chains: option(Type.flag, {
    default: false,
    help: 'Put all tables of each stored EVM chain onto one worker. Chains that are on workers already stay there.',
  }),
  ...Common.DATABASE,
  ...Common.LOG_LEVEL,
}

/** Options of `firn db distribute`. */
export type Options = Values<typeof OPTIONS>

export const COMMAND = Command.create({
  description:
    'Puts EVM chains onto the workers of a Citus cluster: whole chains with --chains, or one chain over all workers with --chain. Indexers wait while the rows of their chain are copied.',
  example: '--chain 43114 --database-url postgres://firn@coordinator/firn',
  options: OPTIONS,
  check: ({ chain, chains, shards, databaseUrl }) => {
    if (chains === (chain !== undefined))
      throw new CliError('CLI_USAGE', 'pass either --chain with the id of a chain, or --chains')
    if (chains && shards !== undefined)
      throw new CliError('CLI_USAGE', '--shards needs --chain: with --chains, each chain stays on one worker')
    if (databaseUrl === undefined)
      throw new CliError('CLI_USAGE', 'pass --database-url with the coordinator of a Citus cluster')
  },
  run: (options, { terminal }) =>
    options.chain === undefined ? distribute(options, terminal) : shard(options, options.chain, terminal),
})

const distribute = async (options: Options, terminal: Terminal): Promise<void> => {
  const log = Database.logger(terminal)
  const ids = await ChainStores.list(options)
  if (ids.length === 0) throw new CliError('CLI_INPUT', 'the database contains no EVM chain')
  for (const chainId of ids) {
    const store = await ChainStores.openOne(options, chainId, log)
    try {
      const place = await distributeEvmChain(store)
      const where =
        place === undefined
          ? 'over several workers'
          : `${place.host}:${place.port}, ${megabytes(place.bytes)}`
      terminal.print(`chain ${chainId}: ${where}`)
    } finally {
      await store.close()
    }
  }
}

const PLACES: { readonly [P in Placement]: string } = {
  height: 'over the workers, by height',
  address: 'over the workers, by address',
  contract: 'over the workers, by contract',
  everywhere: 'on every server',
  coordinator: 'on the coordinator',
}

const shard = async (options: Options, chainId: bigint, terminal: Terminal): Promise<void> => {
  const ids = await ChainStores.list(options)
  if (!ids.includes(chainId))
    throw new CliError(
      'CLI_INPUT',
      `the database does not contain chain ${chainId}, only: ${ids.join(', ') || 'none'}`,
    )
  const store = await ChainStores.openOne(options, chainId, Database.logger(terminal))
  try {
    await shardEvmChain(store, {
      shards: options.shards,
      onTable: ({ name, placement, isMoved }) => {
        if (isMoved) terminal.print(`${name}: ${PLACES[placement]}`)
      },
    })
    terminal.print(`chain ${chainId}: distributed over the workers`)
  } finally {
    await store.close()
  }
}

const megabytes = (bytes: bigint): string => `${(Number(bytes) / 1e6).toFixed(1)} MB`
