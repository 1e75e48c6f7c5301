import { type Endpoint, Exchange, HttpRules } from '@firn/node-api'

/** The files with which a node joins a network. */
export interface NetworkFiles {
  /** Genesis file (JSON), if the network needs one. */
  readonly genesisFile: string | undefined
  /** Upgrade file (JSON). */
  readonly upgradeFile: string
}

/** Path of the genesis file. */
export const GENESIS_PATH = '/devnet/genesis.json'
/** Path of the upgrade file. */
export const UPGRADES_PATH = '/devnet/upgrade.json'

/** Returns a function that returns the endpoint of a path that serves one of the files. */
export function endpoints(files: NetworkFiles): (path: string) => Endpoint | undefined {
  return (path) => {
    if (path === GENESIS_PATH && files.genesisFile !== undefined) return file(files.genesisFile)
    return path === UPGRADES_PATH ? file(files.upgradeFile) : undefined
  }
}

function file(json: string): Endpoint {
  return {
    handle: (exchange) => Exchange.send(exchange, 200, ['Content-Type', HttpRules.JSON_TYPE], `${json}\n`),
  }
}
