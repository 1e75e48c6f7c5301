import { isFirnError } from '@firn/codec'
import type { ServedChain } from '@firn/data-api'
import { Counted, type NamedChains } from '@firn/gateway'
import type { Terminal } from '@firn/options'
import type { Logger } from '@firn/runtime'
import type { UsageStore } from '@firn/store'
import type { EvmStore } from '@firn/store/evm'
import * as DataApi from '../DataApi.ts'
import * as Database from '../Database.ts'
import * as Indexing from '../Indexing.ts'
import * as ChainStores from './ChainStores.ts'
import * as Chains from './Chains.ts'
import * as EvmServices from './EvmServices.ts'

/** Options of `firn data-api --chain`. */
export type Options = DataApi.Serving &
  ChainStores.DatabaseOptions & {
    readonly chain: readonly NamedChains.Named[]
  }

/**
 * Serves stored EVM chains until a signal arrives. The chains are only read, so the database may be a standby server.
 */
export const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const log = Database.logger(terminal)
  const stored = Chains.stored(options.chain)
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
    const service = await DataApi.serve({ chains, usage }, options)
    try {
      terminal.print(`Data API         ${service.url}  (/docs, /openapi.json, /health, /metrics)`)
      EvmServices.printExamples(service.url, stores, terminal)
      terminal.print('Press Ctrl-C to stop')
      await Indexing.stay(undefined, terminal.signal)
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
  const usage = await Counted.usageStore(options, log)
  try {
    await usage.assertCurrent()
    return usage
  } catch (error) {
    await usage.close()
    if (isFirnError(error) && error.code === 'STORE_EMPTY') return undefined
    throw error
  }
}
