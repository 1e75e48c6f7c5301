import type { Genesis } from '@firn/genesis'

/** Codes of `admin.dbGet`; a node has `closed` (1) too. */
export const FOUND = 0
export const NOT_FOUND = 2

/** What a key holds, and how the look-up went. */
export interface Found {
  readonly value: Uint8Array | undefined
  readonly errorCode: typeof FOUND | typeof NOT_FOUND
}

/** The entries that a node keeps outside of its chains' own databases: only these have keys that anybody could know. */
const GENESIS_KEY = 'genesisID'
const RUNNING_KEY = 'ungracefulShutdown'

/** What a node's database holds at a key, of the entries that a replica has too; all others are missing. */
export function get(key: Uint8Array, { genesisId }: Pick<Genesis.Genesis, 'genesisId'>): Found {
  const text = Buffer.from(key).toString('latin1')
  if (text === GENESIS_KEY) return { value: genesisId, errorCode: FOUND }
  // There while the node runs, and empty.
  if (text === RUNNING_KEY) return { value: new Uint8Array(0), errorCode: FOUND }
  return { value: undefined, errorCode: NOT_FOUND }
}
