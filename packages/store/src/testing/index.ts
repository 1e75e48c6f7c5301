import type { Store } from '../Store.ts'
import { StoreError } from '../StoreError.ts'

/** A store filled with a recorded network, all of P, X and C. Shared within a test file: not to be written to nor closed. */
export async function recordedStore(_name: 'local' | 'helicon'): Promise<Store> {
  throw new StoreError('STORE_EMPTY', 'expected a recording, which this version has none of')
}
