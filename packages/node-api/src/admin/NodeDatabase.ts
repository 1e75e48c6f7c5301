import type { Genesis } from '@firn/genesis'

/** Codes of `admin.dbGet`; a node also has `closed` (1). */
export const FOUND = 0
export const NOT_FOUND = 2

/** The value of a key, and the status of the lookup. */
export interface Found {
  readonly value: Uint8Array | undefined
  readonly errorCode: typeof FOUND | typeof NOT_FOUND
}

/** The entries that a node stores outside its chains' own databases: only their keys are public knowledge. */
const GENESIS_KEY = 'genesisID'
const RUNNING_KEY = 'ungracefulShutdown'

/**
 * Returns the value of a key in a node's database, for the entries that a replica has too; other keys are
 * missing.
 */
export function get(key: Uint8Array, { genesisId }: Pick<Genesis.Genesis, 'genesisId'>): Found {
  const text = Buffer.from(key).toString('latin1')
  if (text === GENESIS_KEY) return { value: genesisId, errorCode: FOUND }
  // Exists while the node runs, with an empty value.
  if (text === RUNNING_KEY) return { value: new Uint8Array(0), errorCode: FOUND }
  return { value: undefined, errorCode: NOT_FOUND }
}
