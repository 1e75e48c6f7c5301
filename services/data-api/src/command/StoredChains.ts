import { isFirnError } from '@firn/codec'
import { ChainStores, type EvmStore } from '@firn/evm-store'
import { LocalAccess } from '@firn/operate'
import { Log, NamedChains, type Terminal, type Type } from '@firn/options'
import type { Logger } from '@firn/runtime'
import { UsageDatabase, type UsageStore } from '@firn/service-store'
import type { Databases } from '@firn/store'
import type { ServedChain } from '../evm/chain/ServedChains.ts'
import * as Serving from './Serving.ts'

/** Parses a chain id without nodes, or like {@link NamedChains.parse}. */
const parse = (text: string): NamedChains.Named =>
  NamedChains.isId(text) ? { names: [text], urls: [] } : NamedChains.parse(text)

/** The type of `--chain` of services that serve stored chains: their ids, with nodes or without. */
export const TYPE: Type.Type<readonly NamedChains.Named[]> = NamedChains.type(
  { placeholder: 'id', expected: 'an EVM chain id, or <chain id>=<url>,<url>' },
  ([name = '', ...more]) => NamedChains.isId(name) && more.length === 0,
  parse,
)

/** Options of the Data API with `--chain`. */
export type Options = Serving.Serving &
  Databases.Options & {
    readonly chain: readonly NamedChains.Named[]
  }

/**
 * Serves stored EVM chains until a signal arrives. The chains are only read, so the database may be a standby server.
 */
export const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const log = Log.create(terminal, Date.now)
  const stored = NamedChains.distinct(
    options.chain.map(({ names: [id = ''], urls }) => ({ chainId: BigInt(id), urls })),
  )
  const { stores, close } = await ChainStores.open(
    { ...options, attach: true },
    stored.map(({ chainId }) => chainId),
    log,
    (store) => store.assertCurrent(),
  )
  const chains = stored.map(
    ({ urls }, i): ServedChain => ({
      store: stores[i] as EvmStore,
      nodes: urls.filter((url) => url.startsWith('http')),
    }),
  )
  const usage = await openUsage(options, log)
  try {
    const local = LocalAccess.open({ folder: options.dataDir, log })
    const service = await Serving.serve({ chains, usage, log, local }, options)
    try {
      terminal.print(`Data API         ${service.url}  (/docs, /openapi.json, /health, /metrics)`)
      Serving.printChainExamples(service.url, stores, terminal)
      LocalAccess.announce(local, service.url, terminal)
      terminal.print('Press Ctrl-C to stop')
      await Serving.untilAborted(terminal.signal)
    } finally {
      await service.close()
    }
  } finally {
    await usage?.close()
    await close()
  }
}

/** Opens the usage counts of the gateways, if the database has any. An embedded database has its own folder for them. */
const openUsage = async (options: Options, log: Logger): Promise<UsageStore | undefined> => {
  if (options.databaseUrl === undefined) return undefined
  const usage = await UsageDatabase.open(options, log)
  try {
    await usage.assertCurrent()
    return usage
  } catch (error) {
    await usage.close()
    if (isFirnError(error) && error.code === 'STORE_EMPTY') return undefined
    throw error
  }
}
