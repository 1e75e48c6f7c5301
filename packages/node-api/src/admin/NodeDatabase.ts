import type { Genesis } from '@firn/genesis'

/** Status codes of `admin.dbGet`. A node also uses code 1 (`closed`), which does not occur here. */
export const FOUND = 0
export const NOT_FOUND = 2

/** The value of a key, and the status of the lookup. */
export interface Found {
  readonly value: Uint8Array | undefined
  readonly errorCode: typeof FOUND | typeof NOT_FOUND
}

/** Keys that a node stores outside the databases of its chains. */
const GENESIS_KEY = 'genesisID'
const RUNNING_KEY = 'ungracefulShutdown'

/**
 * Returns the value of a key in a node's database. It knows only the entries that a replica can reproduce.
 */
export function get(key: Uint8Array, { genesisId }: Pick<Genesis.Genesis, 'genesisId'>): Found {
  const text = Buffer.from(key).toString('latin1')
  if (text === GENESIS_KEY) return { value: genesisId, errorCode: FOUND }
  // This entry exists while the node runs, and its value is empty.
  if (text === RUNNING_KEY) return { value: new Uint8Array(0), errorCode: FOUND }
  return { value: undefined, errorCode: NOT_FOUND }
}
