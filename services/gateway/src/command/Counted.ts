import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BoundPort } from '@firn/http'
import type { Logger } from '@firn/runtime'
import { UsageStore } from '@firn/store'
import type { EvmStore } from '@firn/store/evm'
import { createGateway, type Gateway } from '../Gateway.ts'
import type { Named } from './NamedChains.ts'
import * as Options from './Options.ts'

/** Options that select the database of the usage tables. */
export type DatabaseOptions = {
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  readonly requestTimeout?: number
  /** Whether the command may use the embedded database through the service that has it open. */
  readonly attach?: boolean
}

/** A gateway with its usage tables. */
export type Counted = {
  readonly usage: UsageStore
  readonly gateway: Gateway
  close(): Promise<void>
}

/** Opens the usage tables in PostgreSQL, or in PGlite in their own folder. They may be missing or outdated. */
export const usageStore = async (
  { databaseUrl, dataDir, requestTimeout, attach }: DatabaseOptions,
  log: Logger,
): Promise<UsageStore> => {
  const folder = join(dataDir, 'usage')
  if (databaseUrl === undefined) mkdirSync(folder, { recursive: true })
  return UsageStore.open(
    databaseUrl === undefined
      ? { folder, attach, log }
      : { url: databaseUrl, statementTimeoutMs: requestTimeout, log },
  )
}

/** Opens and migrates the usage tables. */
export const openUsage = async (options: DatabaseOptions, log: Logger): Promise<UsageStore> => {
  const usage = await usageStore(options, log)
  try {
    await usage.migrate()
    return usage
  } catch (error) {
    await usage.close()
    throw error
  }
}

/** Starts a gateway to the chains' nodes. It answers `eth_getLogs` from the given stores. */
export const openGateway = async (
  options: DatabaseOptions &
    Options.Options & { readonly host: string; readonly gatewayPort: BoundPort.Port },
  chains: readonly Named[],
  stores: readonly EvmStore[],
  log: Logger,
): Promise<Counted> => {
  const { methods, settings } = Options.toGateway(options)
  const usage = await openUsage(options, log)
  try {
    const gateway = await createGateway({
      chains: chains.map(({ names, urls }) => ({
        names: names as [string, ...string[]],
        urls: urls.map((url) => new URL(url)) as [URL, ...URL[]],
        store: stores.find(({ chainId }) => String(chainId) === names[0]),
        ...methods,
      })),
      usage,
      host: options.host,
      port: options.gatewayPort,
      ...settings,
      now: () => performance.timeOrigin + performance.now(),
      random: { bytes: randomBytes, number: Math.random },
      log,
    })
    const close = async () => {
      await gateway.close()
      await usage.close()
    }
    return { usage, gateway, close }
  } catch (error) {
    await usage.close()
    throw error
  }
}
