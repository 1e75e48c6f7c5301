import { isFirnError } from '@firn/codec'
import type { ServedChain } from '@firn/data-api'
import type { Terminal } from '@firn/options'
import type { Logger } from '@firn/runtime'
import type { UsageStore } from '@firn/store'
import type { EvmStore } from '@firn/store/evm'
import * as DataApi from '../DataApi.ts'
import * as Database from '../Database.ts'
import * as Indexing from '../Indexing.ts'
import * as Chains from './Chains.ts'
import * as EvmIndexing from './EvmIndexing.ts'
import * as EvmServices from './EvmServices.ts'

/** Options of `firn data-api --chain`. */
export type Options = DataApi.Serving &
  EvmIndexing.DatabaseOptions & {
    readonly chain: readonly Chains.Named[]
    readonly chainDetails?: string | undefined
  }

/**
 * Serves stored EVM chains until a signal arrives. The chains are only read, so the database may be a standby server.
 */
export const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const log = Database.logger(terminal)
  const chains = await openStores(options, log)
  const usage = await openUsage(options, log)
  try {
    const service = await DataApi.serve({ chains, usage }, options)
    try {
      terminal.print(`Data API         ${service.url}  (/docs, /openapi.json, /health, /metrics)`)
      EvmServices.printExamples(
        service.url,
        chains.map(({ store }) => store),
        terminal,
      )
      terminal.print('Press Ctrl-C to stop')
      await Indexing.stay(undefined, terminal.signal)
    } finally {
      await service.close()
    }
  } finally {
    await usage?.close()
    for (const { store } of chains) await store.close()
  }
}

/**
 * Opens the stores of the chains.
 * @throws StoreError `STORE_EMPTY` if a chain is not stored; `STORE_SCHEMA` if another version created its tables
 */
const openStores = async (options: Options, log: Logger): Promise<readonly ServedChain[]> => {
  const opened: (ServedChain & { readonly store: EvmStore })[] = []
  try {
    for (const { chainId, urls } of Chains.stored(options.chain)) {
      const store = await EvmIndexing.openStore({ ...options, attach: true }, chainId, log)
      opened.push({
        store,
        nodes: urls.filter((url) => url.startsWith('http')),
        links: Chains.linksOf(chainId, options.chainDetails),
      })
      await store.assertCurrent()
    }
    return opened
  } catch (error) {
    for (const { store } of opened) await store.close()
    throw error
  }
}

/** Opens the usage counts of the gateways, if the database has any. An embedded database has its own folder for them. */
const openUsage = async (options: Options, log: Logger): Promise<UsageStore | undefined> => {
  if (options.databaseUrl === undefined) return undefined
  const usage = await EvmServices.usageStore(options, log)
  try {
    await usage.assertCurrent()
    return usage
  } catch (error) {
    await usage.close()
    if (isFirnError(error) && error.code === 'STORE_EMPTY') return undefined
    throw error
  }
}
