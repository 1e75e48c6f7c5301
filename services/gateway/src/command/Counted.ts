import { randomBytes } from 'node:crypto'
import type { EvmStore } from '@firn/evm-store'
import type { BoundPort } from '@firn/http'
import type { LocalAccess } from '@firn/operate'
import type { NamedChains } from '@firn/options'
import type { Logger } from '@firn/runtime'
import { UsageDatabase, type UsageStore } from '@firn/service-store'
import type { Databases } from '@firn/store'
import { createGateway, type Gateway } from '../Gateway.ts'
import * as Options from './Options.ts'

/** A gateway with its usage tables. */
export type Counted = {
  readonly usage: UsageStore
  readonly gateway: Gateway
  close(): Promise<void>
}

/** Starts a gateway to the chains' nodes. It answers `eth_getLogs` from the given stores. */
export const openGateway = async (
  options: Databases.Options &
    Options.Options &
    LocalAccess.ServiceOptions & { readonly host: string; readonly gatewayPort: BoundPort.Port },
  chains: readonly NamedChains.Named[],
  stores: readonly EvmStore[],
  log: Logger,
): Promise<Counted> => {
  const { methods, settings } = Options.toGateway(options)
  const usage = await UsageDatabase.openMigrated(options, log)
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
      local: options.local,
      operatorSocket: options.operatorSocket,
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
