import { existsSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../../../../shared/genesis/', import.meta.url)

/** True when the networks' own configuration files are beside the checkout. */
export const hasShared = existsSync(FOLDER)

/** The configuration file of a network. For tests only. */
export function sharedConfig(name: 'mainnet' | 'fuji' | 'local'): string {
  return readFileSync(new URL(`genesis-${name}.json`, FOLDER), 'utf8')
}
